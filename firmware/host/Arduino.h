// Just enough of Arduino to run the sketches on a PC: pins are told on standard input, the serial line is a terminal that
// is named on the command line. For the tests (tests/hardware/test_firmware.py); a board uses its own.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

enum { LOW = 0, HIGH = 1, INPUT_PULLUP = 2, OUTPUT = 3, A0 = 18, A1 = 19, A2 = 20, A3 = 21 };

struct Line {
  void begin(long) {}
  int available();
  int read();
  void write(char c);
  void print(const char *text) { for (; *text; text++) write(*text); }
};
extern Line Serial;

void pinMode(uint8_t pin, uint8_t mode);
int digitalRead(uint8_t pin);
void digitalWrite(uint8_t pin, uint8_t level);
inline int analogRead(uint8_t) { return 0; }
unsigned long millis();
unsigned long micros();
inline void delayMicroseconds(unsigned) {}
void randomSeed(unsigned long seed);
long random(long least, long most);

// Runs a sketch on a PC: `sketch TERMINAL`. Standard input: `PIN LEVEL` lines set what pins read; standard output: the same
// for pins that the sketch drives.
#include "Arduino.h"
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <termios.h>
#include <time.h>
#include <unistd.h>

void setup();
void loop();
Line Serial;
static int port = -1;
static int levels[64], driven[64];
static std::string typed;

static unsigned long since(long per_second) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  static const time_t began = now.tv_sec;
  return (unsigned long)((now.tv_sec - began) * per_second + now.tv_nsec / (1000000000L / per_second));
}
unsigned long millis() { return since(1000); }
unsigned long micros() { return since(1000000); }
void randomSeed(unsigned long seed) { srandom(seed ^ (unsigned long)getpid()); }
long random(long least, long most) { return least + ::random() % (most - least); }
void pinMode(uint8_t pin, uint8_t mode) { if (mode == INPUT_PULLUP) levels[pin] = HIGH; driven[pin] = -1; }
int digitalRead(uint8_t pin) { return levels[pin]; }
void digitalWrite(uint8_t pin, uint8_t level) {
  if (driven[pin] == level) return;
  driven[pin] = level;
  printf("%d %d\n", pin, level);
  fflush(stdout);
}
int Line::available() {
  pollfd waiting = {port, POLLIN, 0};
  return poll(&waiting, 1, 0) > 0 && (waiting.revents & POLLIN);
}
int Line::read() {
  char c = 0;
  return ::read(port, &c, 1) == 1 ? (unsigned char)c : -1;
}
void Line::write(char c) { if (::write(port, &c, 1) != 1) return; }

int main(int, char **arguments) {
  port = open(arguments[1], O_RDWR | O_NOCTTY);
  termios raw;
  tcgetattr(port, &raw);
  cfmakeraw(&raw);
  tcsetattr(port, TCSANOW, &raw);
  fcntl(0, F_SETFL, O_NONBLOCK);
  setup();
  for (;;) {
    char got[256];
    ssize_t n = ::read(0, got, sizeof got);
    if (n == 0) return 0;
    if (n > 0) typed.append(got, n);
    for (size_t end; (end = typed.find('\n')) != std::string::npos; typed.erase(0, end + 1)) {
      int pin, level;
      if (sscanf(typed.c_str(), "%d %d", &pin, &level) == 2 && pin >= 0 && pin < 64) levels[pin] = level;
    }
    loop();
    usleep(1000);
  }
}

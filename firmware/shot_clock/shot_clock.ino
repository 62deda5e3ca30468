// The Guandan table's shot clock: four digits of a TM1637 (CLK on 2, DIO on 3). Protocol: docs/wire.md.
//
// It shows what it was told last and counts nothing itself: the table's clock is the only one. Without a word from the
// table for five seconds it goes dark rather than show a time that may be wrong.

const uint8_t CLK = 2, DIO = 3;
const uint8_t DIGITS[] = {0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F};
const unsigned long DARK_MS = 5000, ALIVE_MS = 1000;

char line[64];
uint8_t length = 0;
long seconds = -1;
bool warning = false;
unsigned long told_at = 0, alive_at = 0;

void say(const char *words) {
  uint8_t sum = 0;
  for (const char *c = words; *c; c++) sum ^= (uint8_t)*c;
  char tail[5];
  snprintf(tail, sizeof tail, "*%02X\n", sum);
  Serial.print(words);
  Serial.print(tail);
}

void bus(bool clock, bool data) {
  digitalWrite(CLK, clock); digitalWrite(DIO, data); delayMicroseconds(5);
}

void send(uint8_t value) {
  for (uint8_t bit = 0; bit < 8; bit++, value >>= 1) { bus(LOW, value & 1); bus(HIGH, value & 1); }
  bus(LOW, HIGH); bus(HIGH, HIGH); bus(LOW, LOW);
}

void start() { bus(HIGH, HIGH); bus(HIGH, LOW); bus(LOW, LOW); }
void stop() { bus(LOW, LOW); bus(HIGH, LOW); bus(HIGH, HIGH); }

void show(long value, uint8_t brightness) {
  uint8_t shown[4] = {0, 0, 0, 0};
  if (value >= 0) {
    if (value >= 100) {  // minutes and seconds with the colon
      long minutes = value / 60 > 99 ? 99 : value / 60;
      shown[0] = minutes >= 10 ? DIGITS[minutes / 10] : 0;
      shown[1] = DIGITS[minutes % 10] | 0x80;
      shown[2] = DIGITS[value % 60 / 10];
      shown[3] = DIGITS[value % 60 % 10];
    } else {
      shown[2] = value >= 10 ? DIGITS[value / 10] : 0;
      shown[3] = DIGITS[value % 10];
    }
  }
  start(); send(0x40); stop();
  start(); send(0xC0);
  for (uint8_t k = 0; k < 4; k++) send(shown[k]);
  stop();
  start(); send(0x88 | brightness); stop();
}

void obey(char *words) {
  char *star = strrchr(words, '*');
  if (!star || strlen(star) != 3) return;
  uint8_t found = 0;
  for (char *c = words; c < star; c++) found ^= (uint8_t)*c;
  if (found != (uint8_t)strtoul(star + 1, NULL, 16)) return;
  *star = 0;
  if (strncmp(words, "T ", 2)) return;
  seconds = words[2] == '-' ? -1 : strtol(words + 2, NULL, 10);
  warning = strstr(words, "warning") != NULL;
  told_at = millis();
}

void setup() {
  Serial.begin(115200);
  pinMode(CLK, OUTPUT);
  pinMode(DIO, OUTPUT);
  show(-1, 0);
  say("HELLO guandan-clock 1");
}

void loop() {
  while (Serial.available()) {
    char c = Serial.read();
    if (c == '\n') { line[length] = 0; obey(line); length = 0; }
    else if (c != '\r') { if (length < sizeof line - 1) line[length++] = c; else length = 0; }
  }
  unsigned long now = millis();
  bool dark = now - told_at > DARK_MS || (warning && now / 250 % 2);
  static long last = -2;
  static bool last_dark = true;
  if (seconds != last || dark != last_dark) { show(dark ? -1 : seconds, 3); last = seconds; last_dark = dark; }
  if (now - alive_at >= ALIVE_MS) { alive_at = now; say("K"); }
}

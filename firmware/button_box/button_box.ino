// The Guandan table's button box: four pass pads, four report buttons, a referee button at each seat, four lamps, a buzzer.
//
// For boards that the Arduino IDE knows (the pins fit an Arduino Pro Micro and a Raspberry Pi Pico). Buttons close their pin to
// ground. The protocol is in docs/wire.md: every press has a number and is kept and said again until the table has
// acknowledged it, so that a cable pulled at any moment loses nothing that was pressed while the box had power.

const char SEATS[] = "NWSE";
const char *BUTTONS[] = {"pass", "report", "call"};
const uint8_t BUTTON_PINS[3][4] = {{2, 3, 4, 5}, {6, 7, 8, 9}, {A0, A1, A2, A3}};
const uint8_t LAMP_PINS[4] = {10, 16, 14, 15};
const uint8_t BUZZER_PIN = 1;

const unsigned long STABLE_MS = 25;    // a level counts once it has stood this long
const unsigned long HOLD_MS = 500;     // the referee button must be held
const unsigned long AGAIN_MS = 300;    // an unheard press is said again
const unsigned long ALIVE_MS = 1000;
const uint8_t KEPT = 32;               // presses that wait to be heard

struct Contact { bool raw, down, fired; unsigned long since, pressed; };
struct Press { unsigned long number, at; uint8_t seat, button; };

Contact contacts[3][4];
Press kept[KEPT];
uint8_t first = 0, waiting = 0;
unsigned long made = 0, said_at = 0, alive_at = 0, session;
char lamp[4] = {'o', 'o', 'o', 'o'};
char line[64];
uint8_t length = 0;

// --- lines with their checksum ---------------------------------------------------------------------------------------

uint8_t sum;

void put(const char *text) {
  for (; *text; text++) { sum ^= (uint8_t)*text; Serial.write(*text); }
}

void put(unsigned long number) {
  char digits[11];
  snprintf(digits, sizeof digits, "%lu", number);
  put(digits);
}

void begin_line() { sum = 0; }

void end_line() {
  char tail[5];
  snprintf(tail, sizeof tail, "*%02X\n", sum);
  Serial.print(tail);
}

void hello() {
  begin_line(); put("HELLO guandan-box 1 "); put(session); end_line();
}

void say_press(const Press &press) {
  const char seat[2] = {press.seat < 4 ? SEATS[press.seat] : '-', 0};
  begin_line();
  put("P "); put(press.number); put(" "); put(kept[first].number); put(" "); put(seat); put(" ");
  put(BUTTONS[press.button]); put(" "); put(millis() - press.at);
  end_line();
}

void say_waiting() {
  for (uint8_t k = 0; k < waiting; k++) say_press(kept[(first + k) % KEPT]);
  said_at = millis();
}

// --- what the table says ---------------------------------------------------------------------------------------------

void heard_up_to(unsigned long number) {
  while (waiting && kept[first].number <= number) { first = (first + 1) % KEPT; waiting--; }
}

void obey(char *words) {
  char *star = strrchr(words, '*');
  if (!star || strlen(star) != 3) return;
  uint8_t found = 0;
  for (char *c = words; c < star; c++) found ^= (uint8_t)*c;
  if (found != (uint8_t)strtoul(star + 1, NULL, 16)) return;
  *star = 0;
  if (!strcmp(words, "HELLO")) { hello(); say_waiting(); }
  else if (!strncmp(words, "A ", 2)) heard_up_to(strtoul(words + 2, NULL, 10));
  else if (!strncmp(words, "L ", 2) && words[2] && words[3] == ' ') {
    const char *seat = strchr(SEATS, words[2]);
    if (seat) lamp[seat - SEATS] = words[4];
  }
  else if (!strncmp(words, "B ", 2)) beep(words + 2);
}

void listen() {
  while (Serial.available()) {
    char c = Serial.read();
    if (c == '\n') { line[length] = 0; obey(line); length = 0; }
    else if (c != '\r') { if (length < sizeof line - 1) line[length++] = c; else length = 0; }
  }
}

// --- lamps and buzzer ------------------------------------------------------------------------------------------------

struct Tone { const char *name; uint8_t beeps; uint16_t ms; };
const Tone TONES[] = {{"warning", 2, 120}, {"reminder", 1, 300}, {"notice", 2, 180}, {"call", 3, 140},
                      {"confirmed", 2, 90}, {"bell", 3, 400}};

uint8_t beats = 0;                     // changes of the buzzer that are still to come
uint16_t beat_ms = 0;
unsigned long beat_at = 0;

void beep(const char *name) {
  for (const Tone &tone : TONES) if (!strcmp(tone.name, name)) {
    beats = 2 * tone.beeps - 1; beat_ms = tone.ms; beat_at = millis();
    digitalWrite(BUZZER_PIN, HIGH);
  }
}

void show() {
  unsigned long now = millis();
  for (uint8_t k = 0; k < 4; k++) {
    bool on = lamp[k] == 't' || (lamp[k] == 'w' && now / 200 % 2) || (lamp[k] == 'c' && now / 800 % 2);
    digitalWrite(LAMP_PINS[k], on ? HIGH : LOW);
  }
  if (beats && now - beat_at >= beat_ms) { beat_at = now; digitalWrite(BUZZER_PIN, --beats % 2 ? HIGH : LOW); }
}

// --- buttons ---------------------------------------------------------------------------------------------------------

void keep(uint8_t seat, uint8_t button) {
  if (waiting == KEPT) { first = (first + 1) % KEPT; waiting--; }  // the table has been away for very long
  Press &press = kept[(first + waiting++) % KEPT];
  press.number = ++made; press.at = millis(); press.seat = seat; press.button = button;
  say_press(press);
}

void watch() {
  unsigned long now = millis();
  for (uint8_t b = 0; b < 3; b++) for (uint8_t s = 0; s < 4; s++) {
    Contact &c = contacts[b][s];
    bool level = digitalRead(BUTTON_PINS[b][s]) == LOW;
    if (level != c.raw) { c.raw = level; c.since = now; }
    if (c.raw != c.down && now - c.since >= STABLE_MS) {
      c.down = c.raw; c.fired = false; c.pressed = c.since;
    }
    if (c.down && !c.fired && now - c.pressed >= (b == 2 ? HOLD_MS : 0)) { c.fired = true; keep(s, b); }
  }
}

void setup() {
  Serial.begin(115200);
  for (uint8_t b = 0; b < 3; b++) for (uint8_t s = 0; s < 4; s++) {
    pinMode(BUTTON_PINS[b][s], INPUT_PULLUP);
    bool level = digitalRead(BUTTON_PINS[b][s]) == LOW;
    contacts[b][s] = {level, level, true, 0, 0};  // what is down at the start is leant on, and no press
  }
  for (uint8_t k = 0; k < 4; k++) pinMode(LAMP_PINS[k], OUTPUT);
  pinMode(BUZZER_PIN, OUTPUT);
  randomSeed(analogRead(A0) ^ micros());
  session = random(1, 0x7FFFFFFF);
  hello();
}

void loop() {
  watch();
  listen();
  show();
  if (waiting && millis() - said_at >= AGAIN_MS) say_waiting();
  if (millis() - alive_at >= ALIVE_MS) { alive_at = millis(); begin_line(); put("K"); end_line(); }
}

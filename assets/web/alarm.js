// Sound, light and shaking. A phone gives sound only after a touch: starting duty is that touch.

/** A short two-tone call as a WAV file: an <audio> element is heard even when the phone's silent switch is on. */
function tone(pairs, seconds) {
  const rate = 22050, samples = Math.floor(rate * seconds);
  const bytes = new DataView(new ArrayBuffer(44 + samples * 2));
  const word = (at, text) => [...text].forEach((letter, place) => bytes.setUint8(at + place, letter.charCodeAt(0)));
  word(0, "RIFF"); bytes.setUint32(4, 36 + samples * 2, true); word(8, "WAVEfmt ");
  bytes.setUint32(16, 16, true); bytes.setUint16(20, 1, true); bytes.setUint16(22, 1, true);
  bytes.setUint32(24, rate, true); bytes.setUint32(28, rate * 2, true); bytes.setUint16(32, 2, true); bytes.setUint16(34, 16, true);
  word(36, "data"); bytes.setUint32(40, samples * 2, true);
  for (let n = 0; n < samples; n++) {
    const at = n / rate;
    const pair = pairs.find(([from, to]) => at >= from && at < to);
    const value = pair ? Math.sin(2 * Math.PI * pair[2] * at) * Math.min(1, (at - pair[0]) * 60, (pair[1] - at) * 60) : 0;
    bytes.setInt16(44 + n * 2, value * 26000, true);
  }
  const audio = new Audio(URL.createObjectURL(new Blob([bytes], { type: "audio/wav" })));
  audio.preload = "auto";
  return audio;
}

const call = tone([[0, .16, 880], [.2, .36, 1175], [.4, .56, 880], [.6, .76, 1175]], 1.6);
const cut = tone([[0, .5, 330], [.6, 1.1, 330]], 2.4);
call.loop = cut.loop = true;
let lock = null;

/** To be called from a touch: unlocks sound, keeps the screen awake where the browser can. */
export async function startDuty() {
  for (const audio of [call, cut]) {
    audio.volume = 0;
    await audio.play().catch(() => {});
    audio.pause();
    audio.currentTime = 0;
    audio.volume = 1;
  }
  await stayAwake();
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
}

async function stayAwake() {
  try { lock = await navigator.wakeLock?.request("screen"); } catch { lock = null; }
}
export const awake = () => Boolean(lock && !lock.released);

let ringing = "";
/** Sound "call", "cut" or nothing. */
export function ring(what) {
  if (what === ringing) return;
  ringing = what;
  for (const [name, audio] of [["call", call], ["cut", cut]]) {
    if (name === what) audio.play().catch(() => {});
    else { audio.pause(); audio.currentTime = 0; }
  }
  if (what) navigator.vibrate?.([300, 120, 300, 120, 600]);
}

const GOOD = [880, 1_320];
const BAD = [220, 180];
const TONE_SECONDS = 0.14;
const LOUDNESS = 0.2;

let context: AudioContext | null = null;

/** Two tones up, or two down: told apart without looking. */
export function beep(isGood: boolean): void {
  context ??= new AudioContext();
  const volume = context.createGain();
  volume.gain.value = LOUDNESS;
  volume.connect(context.destination);
  (isGood ? GOOD : BAD).forEach((frequency, index) => {
    if (!context) return;
    const tone = context.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(context.currentTime + index * TONE_SECONDS);
    tone.stop(context.currentTime + (index + 1) * TONE_SECONDS);
  });
}

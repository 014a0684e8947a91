// Short sounds, made by the browser's synthesiser. Nothing is loaded; nothing is heard unless the visitor switches sound on.

export type Cue = "boom" | "launch" | "ping" | "splash" | "tick" | "chime" | "rumble" | "fall" | "end";

/** A sound: a tone that glides between two frequencies, or noise below a frequency; times in seconds. */
interface Recipe {
  noise?: boolean;
  from: number;
  to: number;
  length: number;
  volume: number;
  wave?: OscillatorType;
}

const RECIPES: { [cue in Cue]: Recipe[] } = {
  boom: [{ noise: true, from: 900, to: 60, length: 0.5, volume: 0.5 }, { from: 110, to: 35, length: 0.4, volume: 0.5 }],
  launch: [{ noise: true, from: 300, to: 2200, length: 0.3, volume: 0.18 }],
  ping: [{ from: 1250, to: 1180, length: 0.7, volume: 0.14 }],
  splash: [{ noise: true, from: 2600, to: 400, length: 0.35, volume: 0.22 }],
  tick: [{ from: 620, to: 480, length: 0.06, volume: 0.14, wave: "square" }],
  chime: [{ from: 880, to: 880, length: 0.25, volume: 0.14 }, { from: 1320, to: 1320, length: 0.35, volume: 0.1 }],
  rumble: [{ noise: true, from: 200, to: 80, length: 0.35, volume: 0.4 }],
  fall: [{ from: 520, to: 90, length: 0.6, volume: 0.2, wave: "sawtooth" }],
  end: [{ from: 523, to: 523, length: 0.5, volume: 0.14 }, { from: 659, to: 659, length: 0.6, volume: 0.12 }, { from: 784, to: 784, length: 0.8, volume: 0.12 }],
};

let context: AudioContext | undefined;
let hiss: AudioBuffer | undefined;

/** A second of noise. */
function noise(audio: AudioContext): AudioBuffer {
  if (hiss) return hiss;
  hiss = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = hiss.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = Math.random() * 2 - 1;
  return hiss;
}

/** Plays each of these sounds once. */
export function sound(cues: Iterable<Cue>): void {
  if (typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const audio = context;
  void audio.resume();
  for (const cue of new Set(cues)) {
    for (const { noise: hissing, from, to, length, volume, wave } of RECIPES[cue]) {
      const now = audio.currentTime;
      const gain = audio.createGain();
      gain.gain.setValueAtTime(volume, now);
      gain.gain.exponentialRampToValueAtTime(0.001, now + length);
      gain.connect(audio.destination);
      const glide = (frequency: AudioParam) => {
        frequency.setValueAtTime(from, now);
        frequency.exponentialRampToValueAtTime(to, now + length);
      };
      let source: AudioScheduledSourceNode;
      if (hissing) {
        const filter = audio.createBiquadFilter();
        glide(filter.frequency);
        const buffer = audio.createBufferSource();
        buffer.buffer = noise(audio);
        buffer.connect(filter).connect(gain);
        source = buffer;
      } else {
        const tone = audio.createOscillator();
        tone.type = wave ?? "sine";
        glide(tone.frequency);
        tone.connect(gain);
        source = tone;
      }
      source.start(now);
      source.stop(now + length);
    }
  }
}

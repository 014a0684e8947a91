// The position in a replay and its change over time. It knows neither drawing nor games.

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];
/** Steps in a second at speed 1. */
const PACE = 2;

export class Playback {
  /** The index of a step, or a point between two steps. */
  at = $state(0);
  last = $state(0);
  playing = $state(false);
  speed = $state(1);
  /** Whether the way between two steps is animated. */
  motion = $state(true);
  /** Whether it stays at the end while a live match grows. */
  following = $state(false);
  /** The target of a single step that is being animated. */
  private goal = $state<number>();

  /** The step that is shown or being reached. */
  get index(): number {
    return Math.ceil(this.at);
  }

  /** The part of the way to it that is done, from 0 to 1. */
  get t(): number {
    return this.at === this.index ? 1 : this.at - (this.index - 1);
  }

  seek(index: number): void {
    this.at = Math.max(0, Math.min(this.last, Math.round(index)));
    this.goal = undefined;
    this.following = this.following && this.at === this.last;
  }

  /** One step forward is animated; other steps jump. */
  step(by: number): void {
    // After a pause inside a turn, steps count from the turn that is shown.
    const from = this.goal ?? this.index;
    this.playing = false;
    if (by === 1 && this.motion && from < this.last) {
      this.at = from;
      this.goal = from + 1;
    } else {
      this.seek(from + by);
    }
  }

  toggle(): void {
    if (!this.playing && this.at >= this.last && !this.following) this.seek(0);
    this.goal = undefined;
    this.playing = !this.playing;
  }

  faster(by: 1 | -1): void {
    const now = SPEEDS.findIndex((speed) => speed >= this.speed);
    const place = now < 0 ? SPEEDS.length - 1 : now;
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place + by))]!;
  }

  /** Takes the new last index of a replay that has grown. */
  extend(last: number): void {
    this.last = last;
    this.at = Math.min(this.at, last);
    if (this.following && !this.playing) this.playing = true;
  }

  /** Whether the position changes with time. */
  get moving(): boolean {
    return this.playing || this.goal !== undefined;
  }

  /** Moves on by some seconds. */
  tick(seconds: number): void {
    const end = this.goal ?? this.last;
    // When a live match is far ahead, playback speeds up to catch it.
    const behind = this.following ? 1 + Math.max(0, this.last - this.at - 2) : 1;
    const next = this.at + seconds * PACE * this.speed * (this.goal === undefined ? behind : Math.max(1, 2 / this.speed));
    this.at = Math.min(end, next);
    if (this.at >= end) {
      if (this.goal !== undefined) this.goal = undefined;
      else if (!this.following) this.playing = false;
    }
  }
}

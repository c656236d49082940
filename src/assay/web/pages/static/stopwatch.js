// How long something was before somebody's eyes: time in hidden pages and away from the desk does not count.

const MOST = 1800;
const IDLE = 300_000;

export class Stopwatch {
  constructor() {
    this.counted = 0;
    this.since = null;
    this.stirred = performance.now();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.go()));
    for (const event of ["pointerdown", "pointermove", "keydown", "scroll", "wheel"]) {
      addEventListener(event, () => this.stir(), { passive: true, capture: true });
    }
  }

  restart() {
    this.counted = 0;
    this.since = null;
    this.go();
  }

  go() {
    this.stirred = performance.now();
    if (this.since === null && !document.hidden) this.since = this.stirred;
  }

  pause() {
    if (this.since === null) return;
    const until = Math.min(performance.now(), this.stirred + IDLE);
    this.counted += Math.max(0, until - this.since);
    this.since = null;
  }

  stir() {
    if (this.since !== null && performance.now() - this.stirred > IDLE) this.pause();
    this.go();
  }

  seconds() {
    this.pause();
    this.go();
    return Math.min(MOST, Math.round(this.counted / 100) / 10);
  }
}

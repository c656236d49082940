// The reading time: time while the page is hidden or the user is idle does not count.

const MOST = 1800;
const IDLE = 300_000;

export class Stopwatch {
  constructor() {
    this.counted = 0;
    this.since = null;
    this.lastActive = performance.now();
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.go()));
    for (const event of ["pointerdown", "pointermove", "keydown", "scroll", "wheel"]) {
      addEventListener(event, () => this.noteActivity(), { passive: true, capture: true });
    }
  }

  restart() {
    this.counted = 0;
    this.since = null;
    this.go();
  }

  go() {
    this.lastActive = performance.now();
    if (this.since === null && !document.hidden) this.since = this.lastActive;
  }

  pause() {
    if (this.since === null) return;
    const until = Math.min(performance.now(), this.lastActive + IDLE);
    this.counted += Math.max(0, until - this.since);
    this.since = null;
  }

  noteActivity() {
    if (this.since !== null && performance.now() - this.lastActive > IDLE) this.pause();
    this.go();
  }

  seconds() {
    this.pause();
    this.go();
    return Math.min(MOST, Math.round(this.counted / 100) / 10);
  }
}

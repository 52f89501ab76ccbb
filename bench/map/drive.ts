/**
 * Runs in the page, before anything else: keeps how long every frame's work takes. `drive` asks for
 * one step per frame and gives back the time from frame to frame and the work in each; `raster`
 * makes the page paint within its work, which a browser otherwise does beside it.
 */
export const METER = `
  const wish = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.spent = 0;
  globalThis.raster = false;
  globalThis.requestAnimationFrame = (work) =>
    wish((now) => {
      const begun = performance.now();
      work(now);
      if (globalThis.raster && !work.isMeter) {
        const canvas = document.querySelector('.voelgoed-map__canvas');
        canvas?.getContext('2d').getImageData(0, 0, 1, 1);
      }
      globalThis.spent += performance.now() - begun;
    });
  globalThis.drive = async (frames, step) => {
    const intervals = [];
    const works = [];
    let last = 0;
    for (let frame = 0; frame <= frames; frame++) {
      const now = await new Promise((resolve) => {
        const tick = (at) => resolve(at);
        tick.isMeter = true;
        globalThis.requestAnimationFrame(tick);
      });
      if (frame > 0) {
        intervals.push(now - last);
        works.push(globalThis.spent);
      }
      last = now;
      globalThis.spent = 0;
      const begun = performance.now();
      step(frame);
      globalThis.spent += performance.now() - begun;
    }
    return { intervals, works };
  };
  const canvasOf = () => document.querySelector('.voelgoed-map__canvas');
  globalThis.pointer = (type, x, y) =>
    canvasOf().dispatchEvent(
      new PointerEvent(type, { pointerId: 1, pointerType: 'mouse', clientX: x, clientY: y }),
    );
  globalThis.wheel = (by) =>
    canvasOf().dispatchEvent(
      new WheelEvent('wheel', { deltaY: by, clientX: innerWidth / 2, clientY: innerHeight / 2,
        cancelable: true }),
    );
  // There is no real pointer that could be captured.
  Element.prototype.setPointerCapture = () => {};
`;

/** A circle around the middle of the screen, as a hand draws it that looks around. */
const AROUND = `(frame) => {
  const x = innerWidth / 2 + 120 * Math.sin(frame / 14);
  const y = innerHeight / 2 + 90 * (1 - Math.cos(frame / 14));
  pointer(frame === 0 ? 'pointerdown' : 'pointermove', x, y);
}`;

/** Seats change as on the first minute of a sale: 40 in each frame are 2,400 a second. */
const RUSH = `(frame) => {
  (${AROUND})(frame);
  const count = drawing.seats.length;
  const changes = Array.from({ length: 40 }, (_, index) => {
    const ordinal = (frame * 7919 + index * 104729) % count;
    return [ordinal, (seatMap.stateOf(ordinal) + 1) % 3];
  });
  seatMap.applyChanges(changes);
}`;

/** Far in, and out again. */
const IN_AND_OUT = `(frame) => wheel(frame < 75 ? -40 : 40)`;

export type Scene = Readonly<{ name: string; apart: number; step: string }>;

/** `apart`: pixels from seat to seat when it begins; 0: everything is seen. */
export const SCENES: readonly Scene[] = [
  { name: 'pan, everything seen', apart: 0, step: AROUND },
  { name: 'pan among dots', apart: 6, step: AROUND },
  { name: 'pan among seats', apart: 16, step: AROUND },
  { name: 'pan among seats with numbers', apart: 30, step: AROUND },
  { name: 'zoom in and out by wheel', apart: 0, step: IN_AND_OUT },
  { name: 'pan among dots, 2,400 changes a second', apart: 6, step: RUSH },
];

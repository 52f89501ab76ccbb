/** Reads a QR code from what a camera shows; null: there is none to be seen. */
export type QrReader = (video: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type Made = { new (options: { formats: string[] }): Detector };

/** Wider is slower and reads no better at an arm's length. */
const MOST_WIDTH = 720;

/** The browser's own where it has one; else a decoder that nobody else fetches. */
export async function qrReader(): Promise<QrReader> {
  const { BarcodeDetector } = globalThis as unknown as { BarcodeDetector?: Made };
  if (BarcodeDetector) {
    const detector = new BarcodeDetector({ formats: ['qr_code'] });
    return async (video) => (await detector.detect(video))[0]?.rawValue ?? null;
  }
  const { default: decode } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, MOST_WIDTH / (video.videoWidth || 1));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!pen || canvas.width === 0 || canvas.height === 0) return null;
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    const { data, width, height } = pen.getImageData(0, 0, canvas.width, canvas.height);
    try {
      return decode({ data, width, height });
    } catch {
      // It says so by throwing when there is nothing to be read.
      return null;
    }
  };
}

import { systemHost } from '@voelgoed/client/client';
import { type QrReader, qrReader } from './qr-reader.ts';

/** Often enough for a ticket that is held up, rarely enough for a telephone's battery. */
const LOOK_MS = 160;
/** A code that stays before the camera is one scan. */
const GONE_MS = 2_500;

/** The camera: looks for QR codes and tells each once while it is held up. */
export class Eye {
  status = $state.raw<'off' | 'starting' | 'on' | 'refused'>('off');
  readonly #seen: (text: string) => void;
  #stream: MediaStream | null = null;
  #stop: (() => void) | null = null;
  #last = { text: '', at_ms: Number.NEGATIVE_INFINITY };

  constructor(seen: (text: string) => void) {
    this.#seen = seen;
  }

  async open(video: HTMLVideoElement): Promise<void> {
    this.status = 'starting';
    try {
      const wish = { video: { facingMode: 'environment' }, audio: false };
      const [stream, read] = await Promise.all([
        navigator.mediaDevices.getUserMedia(wish),
        qrReader(),
      ]);
      if (this.status !== 'starting') {
        end(stream);
        return;
      }
      this.#stream = stream;
      video.srcObject = stream;
      await video.play();
      this.status = 'on';
      this.#look(video, read);
    } catch {
      this.close();
      this.status = 'refused';
    }
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
    if (this.#stream) end(this.#stream);
    this.#stream = null;
    this.status = 'off';
  }

  #look(video: HTMLVideoElement, read: QrReader): void {
    this.#stop = systemHost.after(LOOK_MS, async () => {
      const text = await read(video).catch(() => null);
      if (this.status !== 'on') return;
      if (text) this.#tell(text);
      this.#look(video, read);
    });
  }

  #tell(text: string): void {
    const now_ms = systemHost.monotonic();
    const isSame = text === this.#last.text && now_ms - this.#last.at_ms < GONE_MS;
    this.#last = { text, at_ms: now_ms };
    if (!isSame) this.#seen(text);
  }
}

function end(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

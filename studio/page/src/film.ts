// Films what a canvas shows, as WebM.

const KINDS = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const RATE = 30;  // pictures a second
const BITS = 8e6;  // a second

export class Film {
  private recorder: MediaRecorder | null = null;
  /** Of the film, so far. */
  bytes = 0;

  constructor(private canvas: HTMLCanvasElement) {}

  get running(): boolean { return this.recorder !== null; }

  /** @param done is given the film after stop(); false: this browser cannot film */
  start(done: (film: Blob) => void): boolean {
    const mimeType = typeof MediaRecorder === 'undefined' ? undefined : KINDS.find((kind) => MediaRecorder.isTypeSupported(kind));
    if (mimeType === undefined || this.recorder) return false;
    const stream = this.canvas.captureStream(RATE), parts: Blob[] = [];
    const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: BITS });
    this.bytes = 0;
    recorder.ondataavailable = ({ data }) => { parts.push(data); this.bytes += data.size; };
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      done(new Blob(parts, { type: 'video/webm' }));
    };
    recorder.start(1000);
    this.recorder = recorder;
    return true;
  }

  stop(): void {
    this.recorder?.stop();
    this.recorder = null;
  }
}

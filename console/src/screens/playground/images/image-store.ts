/**
 * The images of this tab, newest first. The list lives outside the page, so that requests continue
 * while another screen is open.
 */
import { type GenerateDeps, type GenerateResult, generateImages } from './generate.ts';
import type { ImageForm } from './image-form.ts';

/**
 * The maximum number of requests in the gallery. Older requests are discarded, since inline images
 * need memory.
 */
const MAX_RUNS = 40;

export type ImageRun = {
  readonly id: string;
  readonly form: ImageForm;
  /** The idempotency key, which prevents a retry from being charged twice. */
  readonly key: string;
  readonly startedMs: number;
  readonly result: GenerateResult | { readonly phase: 'running' };
};

export type ImageState = {
  /** The values of the form; null before the first choice. */
  readonly form: ImageForm | null;
  readonly runs: readonly ImageRun[];
};

export type ImageStoreDeps = GenerateDeps & {
  readonly newId: () => string;
  /** Returns the Unix time in milliseconds. */
  readonly nowMs: () => number;
  readonly onGenerated: () => void;
};

export class ImageStore {
  readonly #deps: ImageStoreDeps;
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  #state: ImageState;

  constructor(deps: ImageStoreDeps, state: ImageState = { form: null, runs: [] }) {
    this.#deps = deps;
    this.#state = state;
  }

  readonly state = (): ImageState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  setForm(form: ImageForm): void {
    this.#change((state) => ({ ...state, form }));
  }

  /** Sends a request with the values of the form. */
  run(): void {
    if (this.#state.form !== null) this.regenerate(this.#state.form);
  }

  regenerate(form: ImageForm): void {
    if (form.prompt.trim() === '') return;
    this.#start({ id: this.#deps.newId(), form, key: this.#deps.newId() });
  }

  /**
   * Retries a failed request. If it got no response, the retry has the same idempotency key,
   * because the gateway may have carried out the request.
   */
  retry(id: string): void {
    const run = this.#state.runs.find((each) => each.id === id);
    if (run?.result.phase !== 'failed') return;
    this.remove(id);
    // A refused request needs a new idempotency key, since the old key would return the same
    // refusal.
    const key = run.result.error.code === 'unreachable' ? run.key : this.#deps.newId();
    this.#start({ id, form: run.form, key });
  }

  stop(id: string): void {
    this.#running.get(id)?.abort();
  }

  remove(id: string): void {
    this.stop(id);
    this.#change((state) => ({ ...state, runs: state.runs.filter((run) => run.id !== id) }));
  }

  #start(about: Pick<ImageRun, 'id' | 'form' | 'key'>): void {
    const started = {
      ...about,
      startedMs: this.#deps.nowMs(),
      result: { phase: 'running' },
    } as const;
    this.#change((state) => ({ ...state, runs: [started, ...state.runs].slice(0, MAX_RUNS) }));
    const abort = new AbortController();
    this.#running.set(about.id, abort);
    void generateImages(this.#deps, about.form, about.key, abort.signal).then((result) => {
      this.#running.delete(about.id);
      this.#deps.onGenerated();
      this.#change((state) => ({
        ...state,
        runs: state.runs.map((run) => (run.id === about.id ? { ...run, result } : run)),
      }));
    });
  }

  #change(change: (state: ImageState) => ImageState): void {
    this.#state = change(this.#state);
    for (const listener of this.#listeners) listener();
  }
}

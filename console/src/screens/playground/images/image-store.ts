/**
 * The images of this tab and those stored in the browser, newest first. The list exists outside of
 * the page, so that requests continue while another screen is open.
 */
import {
  type GenerateDeps,
  type Generated,
  type GenerateResult,
  generateImages,
} from './generate.ts';
import type { ImageForm } from './image-form.ts';
import { SHELF_LIMITS, type Shelf } from './image-shelf.ts';

/** The maximum number of requests in the gallery, where failed and stopped requests count too. */
const MAX_RUNS = SHELF_LIMITS.runs;

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
  readonly shelf: Shelf;
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
    void this.#deps.shelf.remove(id);
  }

  /** Removes all images, including those stored in the browser. Running requests continue. */
  clear(): void {
    this.#change((state) => ({
      ...state,
      runs: state.runs.filter(({ result }) => result.phase === 'running'),
    }));
    void this.#deps.shelf.clear();
  }

  /** Adds the images that are stored in the browser. */
  async restore(): Promise<void> {
    const kept = await this.#deps.shelf.load();
    this.#change((state) => {
      const known = new Set(state.runs.map(({ id }) => id));
      const earlier = kept
        .filter(({ id }) => !known.has(id))
        .map(({ id, form, startedMs, generated }): ImageRun => {
          return { id, form, startedMs, key: id, result: { phase: 'done', generated } };
        });
      return { ...state, runs: [...state.runs, ...earlier].slice(0, MAX_RUNS) };
    });
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
      this.#show(about.id, result);
      return result.phase === 'done' ? this.#keep(started, result.generated) : undefined;
    });
  }

  /** Stores an image, and shows the stored image, which does not expire. */
  async #keep(run: Omit<ImageRun, 'result'>, generated: Generated): Promise<void> {
    const kept = await this.#deps.shelf.keep({ ...run, generated });
    const isShown = this.#state.runs.some(({ id }) => id === run.id);
    if (kept !== null && isShown) this.#show(run.id, { phase: 'done', generated: kept.generated });
    // The person removed the image while it was being stored.
    if (!isShown) await this.#deps.shelf.remove(run.id);
  }

  #show(id: string, result: GenerateResult): void {
    this.#change((state) => ({
      ...state,
      runs: state.runs.map((run) => (run.id === id ? { ...run, result } : run)),
    }));
  }

  #change(change: (state: ImageState) => ImageState): void {
    this.#state = change(this.#state);
    for (const listener of this.#listeners) listener();
  }
}

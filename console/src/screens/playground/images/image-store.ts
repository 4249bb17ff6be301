/** What was drawn in this tab, the newest first. It lives outside of the page: drawing goes on elsewhere. */
import { type DrawDeps, type DrawResult, draw } from './draw.ts';
import type { ImageForm } from './image-form.ts';

/** Older ones are forgotten: pictures within a page take room. */
const MAX_RUNS = 40;

export type ImageRun = {
  readonly id: string;
  readonly form: ImageForm;
  /** Under it the request is asked again without being carried out twice. */
  readonly key: string;
  readonly startedMs: number;
  readonly result: DrawResult | { readonly phase: 'running' };
};

export type ImageState = {
  /** Null: nothing was chosen yet. */
  readonly form: ImageForm | null;
  readonly runs: readonly ImageRun[];
};

export type ImageStoreDeps = DrawDeps & {
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly onDrawn: () => void;
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

  /** Draws what the form says. */
  run(): void {
    if (this.#state.form !== null) this.drawAgain(this.#state.form);
  }

  drawAgain(form: ImageForm): void {
    if (form.prompt.trim() === '') return;
    this.#start({ id: this.#deps.newId(), form, key: this.#deps.newId() });
  }

  /** Asks for the same once more after it failed: what was carried out unseen is not done twice. */
  retry(id: string): void {
    const run = this.#state.runs.find((each) => each.id === id);
    if (run?.result.phase !== 'failed') return;
    this.remove(id);
    // Under the key of a request that was refused, the refusal would be given again.
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
    void draw(this.#deps, about.form, about.key, abort.signal).then((result) => {
      this.#running.delete(about.id);
      this.#deps.onDrawn();
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

/** Where the output items of an answer are written to. */
export interface EventSink {
  /** Adds an event. `members` are its own members as JSON text. */
  add(type: string, members: string): void;
  /** Adds a finished output item, given as JSON text. */
  addItem(outputIndex: number, item: string): void;
}

/** The sink of a non-streaming answer, which has no events. */
export const NO_EVENTS: EventSink = { add: () => undefined, addItem: () => undefined };

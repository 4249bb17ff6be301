/** Tracks whether a JSON object that arrives in pieces is complete, without keeping the pieces. */
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from './cursor.ts';

export type JsonProgress = {
  readonly depth: number;
  readonly isInString: boolean;
  readonly isEscaped: boolean;
  readonly isComplete: boolean;
};

export const NO_PROGRESS: JsonProgress = {
  depth: 0,
  isInString: false,
  isEscaped: false,
  isComplete: false,
};

/** Returns the progress after one more piece, by counting brackets outside of strings. */
export function advance(progress: JsonProgress, text: string): JsonProgress {
  if (text === '') return progress;
  let { depth, isInString, isEscaped, isComplete } = progress;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (isInString) {
      if (isEscaped) isEscaped = false;
      else if (unit === BACKSLASH) isEscaped = true;
      else if (unit === QUOTE) isInString = false;
    } else if (unit === QUOTE) {
      isInString = true;
    } else if (unit === OPEN_OBJECT || unit === OPEN_ARRAY) {
      depth += 1;
    } else if (unit === CLOSE_OBJECT || unit === CLOSE_ARRAY) {
      depth -= 1;
      if (depth === 0) isComplete = true;
    }
  }
  return { depth, isInString, isEscaped, isComplete };
}

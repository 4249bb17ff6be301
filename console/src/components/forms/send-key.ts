/** Decides when a key press in a message field sends the message. */
import type { KeyboardEvent } from 'react';

/** The key code of presses that belong to an input method. */
const INPUT_METHOD = 229;

export type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'keyCode'> & {
  readonly isComposing: boolean;
};

/**
 * Whether the press sends: Enter does, and Shift+Enter breaks the line. The Enter that accepts a
 * word of an input method does not; Safari reports it after the composition, by its key code.
 */
export const isSendPress = ({ key, shiftKey, altKey, isComposing, keyCode }: Press): boolean =>
  key === 'Enter' && !shiftKey && !altKey && !isComposing && keyCode !== INPUT_METHOD;

/** Returns a key handler that calls `send`. */
export const onSendPress =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    const { key, shiftKey, altKey, keyCode, ctrlKey, metaKey, nativeEvent } = event;
    const press = { key, shiftKey, altKey, keyCode, isComposing: nativeEvent.isComposing };
    if (!isSendPress(press)) return;
    // The keyboard of a phone has no Shift+Enter, so its Enter breaks the line.
    if (isOnScreen() && !ctrlKey && !metaKey) return;
    event.preventDefault();
    send();
  };

const isOnScreen = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** Decides when a key press in a message field sends the message. */
import type { KeyboardEvent } from 'react';

/** The key code that browsers report for key presses handled by an input method. */
const INPUT_METHOD = 229;

export type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'keyCode'> & {
  readonly isComposing: boolean;
};

/**
 * Whether a key press sends the message. Enter sends it, and Shift+Enter adds a line break. An
 * Enter that accepts a suggestion of an input method does not send. Safari reports such an Enter
 * after the composition has ended, so the key code is checked too.
 */
export const isSendPress = ({ key, shiftKey, altKey, isComposing, keyCode }: Press): boolean =>
  key === 'Enter' && !shiftKey && !altKey && !isComposing && keyCode !== INPUT_METHOD;

/** Returns a key handler that calls `send` when the pressed key sends the message. */
export const onSendPress =
  (send: () => void) =>
  (event: KeyboardEvent): void => {
    const { key, shiftKey, altKey, keyCode, ctrlKey, metaKey, nativeEvent } = event;
    const press = { key, shiftKey, altKey, keyCode, isComposing: nativeEvent.isComposing };
    if (!isSendPress(press)) return;
    // A phone keyboard has no Shift+Enter, so its Enter adds a line break.
    if (isOnScreen() && !ctrlKey && !metaKey) return;
    event.preventDefault();
    send();
  };

const isOnScreen = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches;

/** The element of every button, which keeps the focus while the button is disabled. */
import { type ComponentPropsWithRef, useState } from 'react';

/**
 * A browser takes the focus from a button that becomes disabled, such as during its own request. So
 * a focused button only says that it is disabled, and does nothing, until the focus moves.
 */
export function KeptButton({
  type = 'button',
  disabled,
  onFocus,
  onBlur,
  onClick,
  ...props
}: ComponentPropsWithRef<'button'>) {
  const [hasFocus, setFocus] = useState(false);
  const isKept = disabled === true && hasFocus;
  return (
    <button
      {...props}
      type={type}
      disabled={disabled === true && !hasFocus}
      aria-disabled={isKept || props['aria-disabled']}
      onFocus={(event) => {
        setFocus(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        // An element keeps the focus when the whole window loses it.
        setFocus(event.currentTarget === document.activeElement);
        onBlur?.(event);
      }}
      onClick={(event) => (isKept ? event.preventDefault() : onClick?.(event))}
    />
  );
}

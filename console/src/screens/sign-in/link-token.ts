/**
 * The token of a one-time link. It follows the `#` of the address, which browsers never send, and
 * is removed from the address bar as soon as it is read.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const NAME = 'token';

/** @param hash the fragment of an address, with or without `#`. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get(NAME)?.trim() ?? '';
  return token === '' ? null : token;
}

/** The token in a pasted text: a whole link, its fragment, or the token alone. */
export function tokenOf(pasted: string): string | null {
  const text = pasted.trim();
  const [, fragment] = text.split('#');
  if (fragment !== undefined) return tokenIn(fragment);
  return tokenIn(text) ?? (/^[\w-]+$/.test(text) ? text : null);
}

/** The token of the opened link; null: the page was opened without one. */
export function useLinkToken(): string | null {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const [token, setToken] = useState(() => tokenIn(hash));
  useEffect(() => {
    const found = tokenIn(hash);
    if (found === null) return;
    // Another link may be opened in the same tab.
    setToken(found);
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

/**
 * The token of a one-time link. It stands behind the `#` of its address, which a browser sends to nobody,
 * and is taken out of the address bar as soon as it is read.
 */
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const NAME = 'token';

/** @param hash the fragment of an address, with or without its `#`. */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get(NAME)?.trim() ?? '';
  return token === '' ? null : token;
}

/** The token in what somebody pasted: the whole link, its end, or the token alone. */
export function tokenOf(pasted: string): string | null {
  const text = pasted.trim();
  const [, fragment] = text.split('#');
  if (fragment !== undefined) return tokenIn(fragment);
  return tokenIn(text) ?? (/^[\w-]+$/.test(text) ? text : null);
}

/** The token of the link that was followed; null: the page was opened without one. */
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

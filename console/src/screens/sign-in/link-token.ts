/**
 * Reads the token of a one-time link. The token is in the fragment of the URL (after `#`), which
 * browsers never send. It is removed from the address bar as soon as it is read.
 */
import { useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const NAME = 'token';

/**
 * Returns the token in a fragment; null if there is no token.
 * @param hash the fragment of a URL, with or without `#`.
 */
export function tokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get(NAME)?.trim() ?? '';
  return token === '' ? null : token;
}

/**
 * Returns the token in a pasted text, which may be a whole link, its fragment, or the token alone.
 * Returns null if the text contains no token.
 */
export function tokenOf(pasted: string): string | null {
  const text = pasted.trim();
  const [, fragment] = text.split('#');
  if (fragment !== undefined) return tokenIn(fragment);
  return tokenIn(text) ?? (/^[\w-]+$/.test(text) ? text : null);
}

/** Returns the token of the opened link; null when the page was opened without a token. */
export function useLinkToken(): string | null {
  const router = useRouter();
  const [page] = useState(router.state.location.pathname);
  // Ignores the fragments of other pages. When the person leaves this page for the sign-in page,
  // the URL of the sign-in page has the token in its fragment. Without this check, this page would
  // read the token again just before it disappears.
  const hash = useLocation({ select: (to) => (to.pathname === page ? to.hash : '') });
  const navigate = useNavigate();
  const [token, setToken] = useState(() => tokenIn(hash));
  useEffect(() => {
    const found = tokenIn(hash);
    if (found === null) return;
    // Replaces an earlier token, because the person may have opened another link in the same tab.
    setToken(found);
    void navigate({ to: '.', search: true, hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}

/** Creates passkeys in the browser and signs in with them (Web Authentication). */
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { answerOf, api } from './client.ts';

export const passkeysQuery = queryOptions({
  queryKey: ['profile', 'passkeys'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/profile/passkeys', { signal })),
});

export type Passkey = Awaited<
  ReturnType<NonNullable<typeof passkeysQuery.queryFn>>
>['data'][number];

/** Matches a host that is an IP address. Passkeys need a host name. */
const IP_ADDRESS = /^[\d.]+$|^\[/;

/**
 * Returns whether this browser can use passkeys on this page. Passkeys belong to the host of the
 * gateway's public URL, and browsers offer them only with HTTPS or on localhost.
 */
export function arePasskeysUsable(publicUrl: string): boolean {
  const { hostname } = globalThis.location;
  return (
    'parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {}) &&
    new URL(publicUrl).hostname === hostname &&
    !IP_ADDRESS.test(hostname)
  );
}

/**
 * Asks the browser to create a passkey and adds it to the person's profile.
 * @throws ApiError when the browser or the API refuses, and when the person cancels.
 */
export async function addPasskey(name: string, proof: { readonly password?: string }) {
  const { options } = await answerOf(api.POST('/console/api/profile/passkeys', { body: proof }));
  const { id, response } = await asked(() => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return navigator.credentials.create({ publicKey });
  });
  if (!('attestationObject' in response)) throw ApiError.ofPasskey(null);
  const body = { name, credential: { id, response } };
  return await answerOf(api.POST('/console/api/profile/passkeys/confirm', { body }));
}

/**
 * Signs in with a passkey that the person chooses.
 * @throws ApiError when the browser or the API refuses, and when the person cancels.
 */
export async function signInByPasskey() {
  await finishSignIn(await asked(() => chosenPasskey({})));
}

/**
 * Offers passkeys among the browser's suggestions for the email field, until `signal` aborts.
 * @returns true when the person chose a passkey and is signed in.
 * @throws ApiError if the gateway refused the passkey.
 */
export async function signInBySuggestion(signal: AbortSignal): Promise<boolean> {
  // The person has not asked for a passkey, so an error before the choice is ignored.
  const chosen = await PublicKeyCredential.isConditionalMediationAvailable?.()
    .then((canSuggest) => (canSuggest ? chosenPasskey({ mediation: 'conditional', signal }) : null))
    .catch(() => null);
  if (!(chosen instanceof PublicKeyCredential)) return false;
  await finishSignIn(chosen.toJSON());
  return true;
}

async function chosenPasskey(how: Omit<CredentialRequestOptions, 'publicKey'>) {
  const { options } = await answerOf(api.POST('/console/api/sign-in/passkey'));
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return await navigator.credentials.get({ ...how, publicKey });
}

async function finishSignIn({ id, response }: Awaited<ReturnType<typeof asked>>) {
  if (!('signature' in response)) throw ApiError.ofPasskey(null);
  const { userHandle = '', ...signed } = response;
  const body = { credential: { id, response: { ...signed, userHandle } } };
  return await answerOf(api.POST('/console/api/sign-in/passkey/finish', { body }));
}

/** Asks the browser for a passkey and returns its answer as JSON. */
async function asked(ask: () => Promise<Credential | null>) {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (thrown) {
    throw ApiError.ofPasskey(thrown);
  }
  throw ApiError.ofPasskey(null);
}

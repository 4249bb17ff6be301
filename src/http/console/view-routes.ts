/** Routes for an administrator to view an account as its owner does, without changing anything. */
import * as z from 'zod';
import { notSignedIn } from '../../people/people-errors.ts';
import type { Sessions } from '../../people/sessions.ts';
import { isoTime } from '../caller/account-body.ts';
import { time } from '../edge/answer-schema.ts';
import { checked, id } from '../edge/request-schema.ts';
import { consoleRoute, type Route } from '../edge/route.ts';
import { answer } from './session-routes.ts';

const VIEW_START = z.strictObject({ account_id: id });
const ACCOUNT_VIEW = z
  .strictObject({
    account: z.strictObject({ id: z.string(), name: z.string() }),
    /** When the administrator's view of the account expires. */
    ends_at: time,
  })
  .meta({ id: 'AccountView' });
const VIEW_ENDED = z.strictObject({
  /**
   * Whether this call ended the administrator's view of an account. False if no account was being
   * viewed, for example because the view had expired.
   */
  ended: z.boolean(),
});

export type ViewDeps = { readonly sessions: Pick<Sessions, 'of' | 'view' | 'endView'> };

export const viewRoutes = ({ sessions }: ViewDeps): readonly Route[] => [
  consoleRoute(
    'POST /view',
    'administrator',
    {
      summary: 'View an account in this session as its owner does, without changing anything',
      request: VIEW_START,
      response: ACCOUNT_VIEW,
    },
    async (call) => {
      const { account_id: accountId } = checked(VIEW_START, await call.readJson());
      const cookie = call.request.headers.get('cookie');
      const { id, name, endsAtMs } = await sessions.view(cookie, accountId);
      const body: z.infer<typeof ACCOUNT_VIEW> = {
        account: { id, name },
        ends_at: isoTime(endsAtMs),
      };
      return answer(body);
    },
  ),
  {
    ...consoleRoute(
      'DELETE /view',
      'read_only',
      { summary: 'End the view of an account', response: VIEW_ENDED },
      async ({ request }) => {
        const session = await sessions.of(request.headers.get('cookie'));
        if (session === null) throw notSignedIn();
        const body: z.infer<typeof VIEW_ENDED> = { ended: await sessions.endView(session) };
        return answer(body);
      },
    ),
    endsView: true,
    // An administrator who must first set up two-factor authentication can still stop viewing an
    // account.
    beforeTotp: true,
  },
];

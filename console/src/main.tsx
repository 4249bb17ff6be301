import './theme/library.css';
import './theme/fonts.css';
import './theme/global.css';
import './theme/print.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { watchConnection } from './api/connection.ts';
import { createQueryClient } from './api/query-client.ts';
import { isOpeningPage, onSessionElsewhere, sessionQuery } from './api/session.ts';
import { leaveToSignIn } from './api/sign-out.ts';
import { hasUnsaved } from './components/forms/unsaved.ts';
import { loadTexts } from './i18n/texts.ts';
import { createConsoleRouter } from './routes.tsx';
import { replaceFirstFrame } from './shell/first-frame.ts';
import { askToSignIn, setAsked } from './shell/session-ended.ts';
import { Toasts } from './shell/toasts.tsx';
import { styleNonce } from './theme/style-nonce.ts';
import { Themed } from './theme/themed.tsx';

const queryClient = createQueryClient(() => {
  const known = queryClient.getQueryData(sessionQuery.queryKey);
  if (known?.person == null) return;
  // The session has ended. The person signs in on the sign-in page, which then opens this page
  // again. If there is unsaved text, they sign in on this page instead, so that the text is not
  // lost.
  if (hasUnsaved()) askToSignIn();
  else leaveToSignIn(router.state.location.href);
});
const router = createConsoleRouter(queryClient);

watchConnection();
onSessionElsewhere(() => void followSession());

/** Follows a sign-in or sign-out in another tab. */
async function followSession(): Promise<void> {
  await queryClient.invalidateQueries({ ...sessionQuery, refetchType: 'all' });
  const { status, data } = queryClient.getQueryState(sessionQuery.queryKey) ?? {};
  if (isOpeningPage() || status !== 'success' || data?.person == null) return;
  // Leaves the sign-in page, or uncovers this page and reads again what failed without a session.
  await Promise.all([router.invalidate(), queryClient.invalidateQueries()]);
  setAsked(false);
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
replaceFirstFrame(router);
await loadTexts('shared');
createRoot(root).render(
  <StrictMode>
    <Themed styleNonce={styleNonce}>
      <QueryClientProvider client={queryClient}>
        <Toasts />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Themed>
  </StrictMode>,
);

/** Checks the token of a one-time link before it shows the form for the link. */
import { Skeleton, Stack } from '@mantine/core';
import { IconLinkOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { TextLink } from '#components/button-link.tsx';
import { Empty } from '#components/empty.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { EntryPage } from './entry-page.tsx';
import { type Link, linkQuery } from './link-query.ts';
import { useLinkToken } from './link-token.ts';

const texts = defineTexts('link-gate', {
  en: {
    noToken: 'Incomplete link',
    noTokenHelp:
      'The part of the link after # is missing. Open the full link that you received. If you reloaded this page, open the link again.',
    dead: 'This link is no longer valid',
    deadHelp:
      'The link has expired, or was used, replaced or revoked. Ask the person who sent it for a new one.',
    signIn: 'Go to sign-in',
  },
  zh: {
    noToken: '链接不完整',
    noTokenHelp:
      '链接缺少 # 之后的部分。请打开您收到的完整链接；如果您刷新过此页面，请重新打开该链接。',
    dead: '该链接已失效',
    deadHelp: '链接可能已过期，或已被使用、替换或撤销。请向发送者索取新的链接。',
    signIn: '前往登录',
  },
});

export type LinkGateProps = {
  readonly title: string;
  /** The kind of link that the page expects. The token of any other kind counts as invalid. */
  readonly kind: Link['kind'];
  readonly children: (link: Link, token: string) => ReactNode;
};

export function LinkGate({ title, kind, children }: LinkGateProps) {
  const token = useLinkToken();
  if (token === null) return <Closed title={title} reason="noToken" />;
  return (
    <OpenedLink title={title} kind={kind} token={token}>
      {children}
    </OpenedLink>
  );
}

function OpenedLink({ title, kind, token, children }: LinkGateProps & { readonly token: string }) {
  const { data: link, error, refetch } = useQuery(linkQuery(token));
  const isDead =
    (error instanceof ApiError && error.code === 'link_not_valid') ||
    (link !== undefined && link.kind !== kind);
  if (isDead) return <Closed title={title} reason="dead" />;
  if (link !== undefined) return children(link, token);
  return (
    <EntryPage title={title}>
      {error === null ? (
        <Placeholder />
      ) : (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      )}
    </EntryPage>
  );
}

/** A placeholder with the height of the form that replaces it. */
function Placeholder() {
  return (
    <Stack aria-busy>
      {['first', 'second', 'third'].map((name) => (
        <Skeleton key={name} height={58} />
      ))}
    </Stack>
  );
}

type ClosedProps = { readonly title: string; readonly reason: 'noToken' | 'dead' };

function Closed({ title, reason }: ClosedProps) {
  const t = useTexts(texts);
  return (
    <EntryPage title={title}>
      <Empty
        icon={IconLinkOff}
        title={t(reason)}
        action={<TextLink to="/sign-in">{t('signIn')}</TextLink>}
      >
        {t(`${reason}Help`)}
      </Empty>
    </EntryPage>
  );
}

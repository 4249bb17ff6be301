/**
 * The step that creates the first administrator. It needs the setup link from the gateway's log,
 * which works once.
 */
import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { IconLinkOff, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { ApiProblem } from '#components/api-problem.tsx';
import { ButtonLink } from '#components/button-link.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { CardPage } from '#screens/sign-in/card-page.tsx';
import { useEnter } from '#screens/sign-in/enter.ts';
import { linkQuery } from '#screens/sign-in/link-query.ts';
import { tokenOf, useLinkToken } from '#screens/sign-in/link-token.ts';
import { RegistrationForm } from '#screens/sign-in/registration-form.tsx';

const texts = defineTexts('setup-administrator', {
  en: {
    title: 'Set up your gateway',
    lead: 'Create the first administrator. All data is stored in your own database.',
    create: 'Create administrator',
    linkTitle: 'Open the setup link',
    linkLead:
      'A gateway without an administrator prints a one-time link to its log when it starts. Open the link, or paste it here.',
    paste: 'Link or token',
    go: 'Continue',
    notToken:
      'This is neither the setup link nor its token. Copy the whole link from the log of the gateway.',
    dead: 'This link is no longer valid. Each start of the gateway prints a new link. You can also run: modelgate people setup-link',
    done: 'This gateway already has an administrator',
    doneLead:
      'Sign in, or ask the administrator for an invitation. To reset a forgotten password, run: modelgate people reset-link EMAIL',
    signIn: 'Sign in',
  },
  zh: {
    title: '设置您的网关',
    lead: '请创建第一个管理员。所有数据都保存在您自己的数据库中。',
    create: '创建管理员',
    linkTitle: '打开设置链接',
    linkLead:
      '没有管理员的网关启动时，会在日志中打印一个一次性链接。请打开该链接，或将其粘贴到这里。',
    paste: '链接或令牌',
    go: '继续',
    notToken: '这既不是设置链接，也不是其令牌。请从网关的日志中完整复制链接。',
    dead: '该链接已失效。网关每次启动都会打印新的链接，也可以运行：modelgate people setup-link',
    done: '该网关已有管理员',
    doneLead: '请登录，或向管理员索取邀请。忘记密码时可运行：modelgate people reset-link 邮箱',
    signIn: '登录',
  },
});

export type AdministratorStepProps = {
  /** Whether the gateway has no administrator yet. */
  readonly isNeeded: boolean;
};

export function AdministratorStep({ isNeeded }: AdministratorStepProps) {
  const t = useTexts(texts);
  const fromLink = useLinkToken();
  const [pasted, setPasted] = useState<string | null>(null);
  const token = pasted ?? fromLink;
  if (!isNeeded) return <Done />;
  if (token === null) return <PasteLink onToken={setPasted} isDead={false} />;
  return <WithToken key={token} token={token} title={t('title')} onToken={setPasted} />;
}

type WithTokenProps = {
  readonly token: string;
  readonly title: string;
  readonly onToken: (token: string) => void;
};

function WithToken({ token, title, onToken }: WithTokenProps) {
  const t = useTexts(texts);
  const enter = useEnter();
  const { data: link, error, refetch } = useQuery(linkQuery(token));
  const isDead = error instanceof ApiError && error.code === 'link_not_valid';
  if (isDead || (link !== undefined && link.kind !== 'setup')) {
    return <PasteLink onToken={onToken} isDead />;
  }
  if (error !== null) return <ApiProblem error={error} onRetry={() => void refetch()} />;
  return (
    <CardPage title={title} lead={t('lead')} width={480}>
      <RegistrationForm
        email={link?.email ?? null}
        hasAccount
        submit={t('create')}
        send={(registration) =>
          answerOf(api.POST('/console/api/setup', { body: { token, ...registration } }))
        }
        onSent={() => enter('/setup?step=models')}
      />
    </CardPage>
  );
}

type PasteLinkProps = Pick<WithTokenProps, 'onToken'> & { readonly isDead: boolean };

function PasteLink({ onToken, isDead }: PasteLinkProps) {
  const t = useTexts(texts);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const token = tokenOf(text);
    setWrong(token === null);
    if (token !== null) onToken(token);
  };
  return (
    <CardPage title={t('linkTitle')} lead={t('linkLead')} width={480}>
      <form onSubmit={submit}>
        <Stack>
          {isDead ? (
            <Alert color="red" icon={<IconLinkOff />} role="alert">
              {t('dead')}
            </Alert>
          ) : null}
          <TextInput
            label={t('paste')}
            placeholder={`${globalThis.location.origin}/console/setup#token=…`}
            leftSection={<IconTerminal2 size={18} aria-hidden />}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            error={isWrong ? t('notToken') : null}
          />
          <Button type="submit">{t('go')}</Button>
        </Stack>
      </form>
    </CardPage>
  );
}

function Done() {
  const t = useTexts(texts);
  return (
    <CardPage title={t('done')} width={480}>
      <Stack>
        <Text>{t('doneLead')}</Text>
        <ButtonLink to="/sign-in">{t('signIn')}</ButtonLink>
      </Stack>
    </CardPage>
  );
}

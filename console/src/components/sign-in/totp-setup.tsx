/** The setup of two-factor authentication: password, QR code, first code, recovery codes. */
import { Button, Center, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import { Copyable } from '#components/copyable.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormProblem } from '#components/forms/form-problem.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { PasswordProof } from './password-proof.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { TotpInput } from './totp-input.tsx';

const texts = defineTexts('totp-setup', {
  en: {
    begin:
      'You need an authenticator app, such as the one in your phone or password manager. First confirm your password.',
    next: 'Continue',
    scan: 'Scan the QR code with the app, or enter the key by hand. Then enter the six digits that the app shows.',
    picture: 'QR code for an authenticator app',
    key: 'Key',
    missing: 'Enter the six digits.',
    confirm: 'Turn on two-factor authentication',
  },
  zh: {
    begin: '您需要一个身份验证器应用，例如手机或密码管理器自带的验证器。请先确认密码。',
    next: '继续',
    scan: '请用应用扫描二维码，或手动输入密钥，然后填写应用显示的 6 位验证码。',
    picture: '身份验证器二维码',
    key: '密钥',
    missing: '请输入 6 位验证码。',
    confirm: '启用两步验证',
  },
});

type TotpSecrets = {
  readonly otpauth_uri: string;
  readonly secret: string;
  readonly recovery_codes: readonly string[];
};
type Step =
  | { readonly name: 'password' }
  | { readonly name: 'scan'; readonly secrets: TotpSecrets }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

export type TotpSetupProps = {
  /** Called once two-factor authentication is on and the recovery codes are saved. */
  readonly onDone: () => Promise<void> | void;
};

export function TotpSetup({ onDone }: TotpSetupProps) {
  const t = useTexts(texts);
  const [step, setStep] = useState<Step>({ name: 'password' });
  switch (step.name) {
    case 'password':
      return (
        <PasswordProof
          lead={t('begin')}
          submit={t('next')}
          send={(body) => answerOf(api.POST('/console/api/profile/totp', { body }))}
          onSent={(secrets) => setStep({ name: 'scan', secrets })}
        />
      );
    case 'scan':
      return (
        <Scan
          secrets={step.secrets}
          onConfirmed={() => setStep({ name: 'codes', codes: step.secrets.recovery_codes })}
        />
      );
    case 'codes':
      return <RecoveryCodes codes={step.codes} onDone={() => void onDone()} />;
  }
}

type ScanProps = { readonly secrets: TotpSecrets; readonly onConfirmed: () => void };

function Scan({ secrets, onConfirmed }: ScanProps) {
  const t = useTexts(texts);
  const { form, onSubmit, isRunning, problem } = useApiForm({
    initialValues: { code: '' },
    validate: ({ code }) => ({ code: /^\d{6}$/.test(code) ? null : t('missing') }),
    send: (body) => answerOf(api.POST('/console/api/profile/totp/confirm', { body })),
    onSent: onConfirmed,
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <Text size="sm">{t('scan')}</Text>
        <Center>
          <QrCode value={secrets.otpauth_uri} label={t('picture')} />
        </Center>
        <Stack gap={2} align="center" ta="center">
          <Text size="sm">{t('key')}</Text>
          <Copyable value={secrets.secret} shown={inGroups(secrets.secret)} />
        </Stack>
        <FormProblem error={problem} />
        <TotpInput {...form.getInputProps('code')} autoFocus />
        <Group justify="flex-end">
          <Button type="submit" loading={isRunning}>
            {t('confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Splits the key into groups of four characters, which are easier to type. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

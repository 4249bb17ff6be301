/** The card that turns two-factor authentication on or off and creates new recovery codes. */
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { answerOf, api } from '#api/client.ts';
import type { Profile } from '#api/profile.ts';
import { Dialog } from '#components/dialog.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { PasswordProof } from '#components/sign-in/password-proof.tsx';
import { RecoveryCodes } from '#components/sign-in/recovery-codes.tsx';
import { TotpSetup } from '#components/sign-in/totp-setup.tsx';
import { Status } from '#components/status.tsx';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { useProfileChanged } from './profile-queries.ts';

const texts = defineTexts('totp-card', {
  en: {
    title: 'Two-factor authentication',
    lead: 'In addition to your password, signing in requires a code from an authenticator app.',
    on: 'On',
    off: 'Off',
    setUp: 'Set up',
    newCodes: 'New recovery codes',
    newCodesLead: 'Your current recovery codes stop working when new ones are created.',
    makeCodes: 'Create new codes',
    turnOff: 'Turn off',
    turnOffLead: 'Without two-factor authentication, your password alone is enough to sign in.',
    codesLeft_one: '{{count}} recovery code left',
    codesLeft_other: '{{count}} recovery codes left',
  },
  zh: {
    title: '两步验证',
    lead: '登录时除密码外，还需输入身份验证器应用显示的验证码。',
    on: '已启用',
    off: '未启用',
    setUp: '立即启用',
    newCodes: '更换恢复码',
    newCodesLead: '生成新的恢复码后，您现有的恢复码会失效。',
    makeCodes: '生成新的恢复码',
    turnOff: '停用',
    turnOffLead: '停用后，仅凭密码即可登录。',
    codesLeft_one: '还剩 {{count}} 个恢复码',
    codesLeft_other: '还剩 {{count}} 个恢复码',
  },
});
/** The warning about remaining recovery codes is red if at most this number remains. */
const FEW_CODES = 3;

type DialogName = 'setUp' | 'newCodes' | 'turnOff';

export function TotpCard({ profile }: { readonly profile: Profile }) {
  const t = useTexts(texts);
  const [dialog, setDialog] = useState<DialogName>('setUp');
  const [isOpen, { open, close }] = useDisclosure();
  const show = (name: DialogName): void => {
    setDialog(name);
    open();
  };
  const isOn = profile.totp_enabled;
  const left = profile.recovery_codes_left;
  return (
    <SectionCard
      title={t('title')}
      lead={t('lead')}
      aside={<Status tone={isOn ? 'good' : 'quiet'}>{t(isOn ? 'on' : 'off')}</Status>}
    >
      {isOn ? (
        <>
          <Text
            size="sm"
            {...(left <= FEW_CODES ? { c: 'var(--mantine-color-error)', fw: 600 } : {})}
          >
            {t('codesLeft', { count: left })}
          </Text>
          <Group>
            <Button variant="default" onClick={() => show('newCodes')}>
              {t('newCodes')}
            </Button>
            <Button variant="default" onClick={() => show('turnOff')}>
              {t('turnOff')}
            </Button>
          </Group>
        </>
      ) : (
        <Group>
          <Button onClick={() => show('setUp')}>{t('setUp')}</Button>
        </Group>
      )}
      <TotpDialog name={dialog} opened={isOpen} onClose={close} />
    </SectionCard>
  );
}

type TotpDialogProps = {
  readonly name: DialogName;
  readonly opened: boolean;
  readonly onClose: () => void;
};

function TotpDialog({ name, opened, onClose }: TotpDialogProps) {
  const t = useTexts(texts);
  const changed = useProfileChanged();
  const done = async (): Promise<void> => {
    onClose();
    await changed();
  };
  return (
    <Dialog
      opened={opened}
      onClose={() => void done()}
      title={t(name === 'setUp' ? 'title' : name)}
      // A click outside must not close the dialog, because the recovery codes are shown only once.
      closeOnClickOutside={false}
    >
      {name === 'setUp' ? <TotpSetup onDone={done} /> : null}
      {name === 'newCodes' ? <NewCodes onDone={done} /> : null}
      {name === 'turnOff' ? (
        <PasswordProof
          lead={t('turnOffLead')}
          submit={t('turnOff')}
          isGrave
          send={(body) => answerOf(api.DELETE('/console/api/profile/totp', { body }))}
          onSent={done}
        />
      ) : null}
    </Dialog>
  );
}

function NewCodes({ onDone }: { readonly onDone: () => Promise<void> }) {
  const t = useTexts(texts);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onDone={() => void onDone()} />;
  return (
    <PasswordProof
      lead={t('newCodesLead')}
      submit={t('makeCodes')}
      send={(body) => answerOf(api.POST('/console/api/profile/totp/recovery-codes', { body }))}
      onSent={({ recovery_codes: made }) => setCodes(made)}
    />
  );
}

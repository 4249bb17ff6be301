/**
 * The setup of a new gateway: the first administrator, the models, and a tested key. The setup link
 * is in the gateway's log. Later steps require the session that the first step starts.
 */
import { Container } from '@mantine/core';
import { Navigate, useSearch } from '@tanstack/react-router';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { plainRoute } from '#shell/parents.tsx';
import { TotpDemand } from '#shell/totp-demand.tsx';
import { AdministratorStep } from './setup/administrator-step.tsx';
import { KeyStep } from './setup/key-step.tsx';
import { ModelsStep } from './setup/models-step.tsx';
import { SetupProgress } from './setup/setup-progress.tsx';

const texts = defineTexts('setup', {
  en: { administrator: 'Administrator', models: 'Models and prices', key: 'First key' },
  zh: { administrator: '管理员', models: '模型与价格', key: '第一个密钥' },
});
const WIDTH_PX = { administrator: 480, models: 760, key: 760 } as const;

export function SetupScreen() {
  const t = useTexts(texts);
  const { session } = plainRoute.useRouteContext();
  const { step = 'administrator' } = useSearch({ from: '/plain/setup' });
  const { person, setup_needed: isNeeded } = session;
  if (person !== null && step === 'administrator') return <Navigate to="/" replace />;
  if (person === null && step !== 'administrator') return <Navigate to="/sign-in" replace />;
  return (
    <Container size={WIDTH_PX[step]} w="100%" px={0}>
      <SetupProgress
        steps={[t('administrator'), t('models'), t('key')]}
        current={['administrator', 'models', 'key'].indexOf(step)}
      />
      {person?.totp_required === true ? <TotpDemand /> : null}
      {step === 'administrator' ? <AdministratorStep isNeeded={isNeeded} /> : null}
      {person?.totp_required === false && step === 'models' ? <ModelsStep /> : null}
      {person?.totp_required === false && step === 'key' ? <KeyStep /> : null}
    </Container>
  );
}

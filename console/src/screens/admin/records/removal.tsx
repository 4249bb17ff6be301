/** The section that removes an upstream or a model, and lists what is removed with it. */
import { Button, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { RED } from '#components/actions-menu.tsx';
import { SectionCard } from '#components/section-card.tsx';
import { useTexts } from '#i18n/texts.ts';
import { ChangeDialog, ChangeProblem } from '#screens/admin/settings/change-dialog.tsx';
import type { SendChange } from '#screens/admin/settings/config-queries.ts';
import { useProposing } from './proposing.ts';
import { recordTexts } from './record-texts.ts';

export type RemovalProps = {
  readonly section: 'upstreams' | 'models';
  /** The name that the person types to confirm. */
  readonly what: string;
  readonly send: SendChange;
};

const WORDS = {
  upstreams: { submit: 'remove', title: 'removeTitle', hint: 'removeHint', tab: 'upstreams' },
  models: { submit: 'retire', title: 'retireTitle', hint: 'retireHint', tab: 'prices' },
} as const;

export function Removal({ section, what, send }: RemovalProps) {
  const t = useTexts(recordTexts);
  const navigate = useNavigate();
  const { propose, proposal, close, isRunning, problem } = useProposing<string>();
  const { submit, title, hint, tab } = WORDS[section];
  return (
    <SectionCard title={t(submit)} size="h5">
      <Stack gap="sm" align="flex-start">
        <Text variant="note">{t(hint)}</Text>
        {problem === null ? null : <ChangeProblem error={problem} />}
        <Button variant="default" c={RED} loading={isRunning} onClick={() => propose(what, send)}>
          {t(submit)}
        </Button>
      </Stack>
      <ChangeDialog
        proposal={proposal}
        title={t(title, { name: what })}
        submit={t(submit)}
        phrase={what}
        onClose={close}
        onMade={() => navigate({ to: '/admin/routes', search: { tab } })}
      />
    </SectionCard>
  );
}

/** Inviting somebody: first the form that asks whom, then the link to send them. */
import { type ReactNode, useState } from 'react';
import type { components } from '../api/schema.gen.ts';
import { defineTexts, useTexts } from '../i18n/texts.ts';
import { Dialog } from './dialog.tsx';
import { OneTimeLink } from './one-time-link.tsx';

const texts = defineTexts('invitation-dialog', {
  en: { title: 'Invite somebody', linkTitle: 'Send this link' },
  zh: { title: '邀请成员', linkTitle: '发送此链接' },
});

export type NewInvitation = components['schemas']['NewInvitation'];

export type InvitationDialogProps = {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Asks whom, and hands over what was made. */
  readonly form: (onMade: (made: NewInvitation) => void) => ReactNode;
};

export function InvitationDialog({ opened, onClose, form }: InvitationDialogProps) {
  const t = useTexts(texts);
  const [made, setMade] = useState<NewInvitation | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setMade(null)}
      title={t(made === null ? 'title' : 'linkTitle')}
      // A press beside the dialog must not lose a link that is shown once.
      closeOnClickOutside={made === null}
    >
      {made === null ? (
        form(setMade)
      ) : (
        <OneTimeLink url={made.url} expiresAt={made.expires_at} onDone={onClose} />
      )}
    </Dialog>
  );
}

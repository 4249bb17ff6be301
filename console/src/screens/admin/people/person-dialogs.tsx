/** A way back in for somebody, and the ways out. */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { TypeToConfirm } from '../../../components/forms/type-to-confirm.tsx';
import { ResetLinkDialog } from '../../../components/reset-link-dialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { makeResetLink, removePerson, removeTotp, usePeopleChanged } from './people-queries.ts';
import { peopleTexts } from './people-texts.ts';
import type { PersonDialogProps } from './person-menu.tsx';

export function PersonResetLinkDialog({ person, ...dialog }: PersonDialogProps) {
  return <ResetLinkDialog {...dialog} name={person.name} make={() => makeResetLink(person.id)} />;
}

type ConfirmedProps = PersonDialogProps & {
  readonly act: (id: string) => Promise<unknown>;
  readonly words: {
    readonly title: 'totpTitle' | 'removeTitle';
    readonly lead: 'totpLead' | 'removeLead';
    readonly confirm: 'removeTotp' | 'remove';
    readonly done: 'totpGone' | 'removed';
  };
};

function Confirmed({ person, opened, onClose, act, words }: ConfirmedProps) {
  const t = useTexts(peopleTexts);
  const changed = usePeopleChanged();
  const acting = useMutation({
    mutationFn: () => act(person.id),
    onSuccess: async () => {
      onClose();
      notifications.show({ color: 'green', message: t(words.done, { name: person.name }) });
      await changed();
    },
  });
  return (
    <TypeToConfirm
      opened={opened}
      onClose={() => {
        acting.reset();
        onClose();
      }}
      title={t(words.title, { name: person.name })}
      phrase={person.email}
      confirm={t(words.confirm)}
      onConfirm={() => acting.mutate()}
      isRunning={acting.isPending}
      error={acting.error}
    >
      {t(words.lead)}
    </TypeToConfirm>
  );
}

export function RemoveTotpDialog(props: PersonDialogProps) {
  const words = {
    title: 'totpTitle',
    lead: 'totpLead',
    confirm: 'removeTotp',
    done: 'totpGone',
  } as const;
  return <Confirmed {...props} act={removeTotp} words={words} />;
}

export function RemovePersonDialog(props: PersonDialogProps) {
  const words = {
    title: 'removeTitle',
    lead: 'removeLead',
    confirm: 'remove',
    done: 'removed',
  } as const;
  return <Confirmed {...props} act={removePerson} words={words} />;
}

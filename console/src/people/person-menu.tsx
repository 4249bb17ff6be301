/** The menu of actions on a person, for owners and administrators. */
import {
  IconGauge,
  IconLink,
  IconShieldOff,
  IconUserCog,
  IconUserMinus,
} from '@tabler/icons-react';
import { useState } from 'react';
import { mayAs, useSignedIn } from '#api/session.ts';
import { type Action, ActionsMenu } from '#components/actions-menu.tsx';
import { useTexts } from '#i18n/texts.ts';
import { type Person, usePeopleApi } from './people-api.ts';
import { peopleTexts } from './people-texts.ts';
import {
  ChangePersonDialog,
  PersonResetLinkDialog,
  RemovePersonDialog,
  RemoveTotpDialog,
} from './person-dialogs.tsx';
import { PersonLimitsDialog } from './person-limits-dialog.tsx';

const DIALOGS = {
  changeRole: ChangePersonDialog,
  setLimit: PersonLimitsDialog,
  resetLink: PersonResetLinkDialog,
  removeTotp: RemoveTotpDialog,
  remove: RemovePersonDialog,
} as const;
type DialogName = keyof typeof DIALOGS;

export function PersonMenu({ person }: { readonly person: Person }) {
  const t = useTexts(peopleTexts);
  const own = useSignedIn();
  // The dialog's name is kept after closing, so that the dialog can animate out.
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { everywhere } = usePeopleApi();
  const show = (name: DialogName): void => {
    setDialog(name);
    setOpen(true);
  };
  const opening = (name: DialogName, icon: Action['icon']): Action => ({
    ...{ label: t(name), icon, isGrave: name === 'remove' },
    act: () => show(name),
  });
  const changing = opening('changeRole', IconUserCog);
  const limiting = opening('setLimit', IconGauge);
  // People change themselves on their profile page, and nobody may change a person with a higher
  // role.
  const isManaged = person.id !== own.id && mayAs(own.role, person.role);
  const managing = (): readonly Action[] => [
    everywhere === null ? changing : { ...changing, label: t('changeRoleOrAccount') },
    limiting,
    opening('resetLink', IconLink),
    ...(everywhere !== null && person.totp_enabled ? [opening('removeTotp', IconShieldOff)] : []),
    opening('remove', IconUserMinus),
  ];
  const actions = isManaged ? managing() : [limiting];
  const Dialog = dialog === null ? null : DIALOGS[dialog];
  return (
    <>
      <ActionsMenu label={t('actionsOf', { name: person.name })} actions={actions} />
      {Dialog === null ? null : (
        <Dialog person={person} opened={isOpen} onClose={() => setOpen(false)} />
      )}
    </>
  );
}

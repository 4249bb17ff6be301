/**
 * The actions on a key: a menu in the list, and buttons on the key's page that open the same
 * dialogs.
 */
import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { changeAsShown } from '#api/change-as-shown.ts';
import { type Action, ActionsMenu, RED } from '#components/actions-menu.tsx';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useProblemText } from '#components/problem-texts.ts';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { keyActionsTexts } from './key-actions-texts.ts';
import { type KeyApi, useKeyApi } from './key-api.ts';
import { EditKeyDialog } from './key-dialogs.tsx';
import type { ApiKey } from './key-form.ts';
import { type CreatedKey, useKeysChanged } from './key-queries.ts';
import { secretEnds } from './key-state.ts';
import { keyTexts } from './key-texts.ts';
import { RotateKeyDialog } from './rotate-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type OpenDialog = 'none' | 'edit' | 'rotate' | 'revoke';

type KeyActionsProps = { readonly apiKey: ApiKey };

/**
 * The menu of a key in a list, shown only to people who may change keys. A revoked key has no
 * actions.
 */
export function KeyActions({ apiKey }: KeyActionsProps) {
  const labels = useTexts(keyTexts);
  const { actions, dialogs, isRunning } = useActions(apiKey);
  // If somebody else revokes the key, the dialogs stay, so that an open form keeps the typed text.
  if (apiKey.status === 'revoked') return dialogs;
  return (
    <>
      <ActionsMenu
        label={labels('actionsOf', { name: apiKey.name })}
        actions={actions}
        isRunning={isRunning}
      />
      {dialogs}
    </>
  );
}

/** The buttons on the key's page, with the same actions as the menu. */
export function KeyButtons({ apiKey }: KeyActionsProps) {
  const { actions, dialogs, isRunning } = useActions(apiKey);
  if (apiKey.status === 'revoked') return dialogs;
  return (
    <>
      {actions.map(({ label, icon: Icon, isGrave, isToggle, act }, at) => (
        <Button
          key={label}
          {...(at === 0 ? {} : { variant: 'default' })}
          {...(isGrave ? { c: RED } : {})}
          leftSection={<Icon size={16} />}
          loading={isToggle && isRunning}
          onClick={act}
        >
          {label}
        </Button>
      ))}
      {dialogs}
    </>
  );
}

/** Returns the actions on a key in display order, and the dialogs that they open. */
function useActions(apiKey: ApiKey) {
  const t = useTexts(keyActionsTexts);
  const { open, dialogs } = useKeyDialogs(apiKey);
  const toggle = useToggle();
  const isDisabled = apiKey.status === 'disabled';
  const opening = (name: 'edit' | 'rotate' | 'revoke', icon: Action['icon']) => ({
    ...{ label: t(name), icon, isGrave: name === 'revoke', isToggle: false },
    act: () => open(name),
  });
  const toggling = {
    label: t(isDisabled ? 'enable' : 'disable'),
    icon: isDisabled ? IconPlayerPlay : IconPlayerPause,
    ...{ isGrave: false, isToggle: true },
    act: () => toggle.mutate({ apiKey, to: isDisabled ? 'enabled' : 'disabled' }),
  };
  const actions = [
    opening('edit', IconPencil),
    opening('rotate', IconRefresh),
    toggling,
    opening('revoke', IconTrash),
  ];
  return { actions, dialogs, isRunning: toggle.isPending };
}

function useKeyDialogs(apiKey: ApiKey) {
  // A dialog is rendered only when it opens, so that a long list contains no closed dialogs.
  const [dialog, open] = useState<OpenDialog | null>(null);
  const dialogs =
    dialog === null ? null : (
      <KeyDialogs apiKey={apiKey} dialog={dialog} onClose={() => open('none')} />
    );
  return { open, dialogs };
}

type Toggle = { readonly apiKey: ApiKey; readonly to: 'enabled' | 'disabled' };

/** Disables or enables a key, unless somebody else has changed its state since it was shown. */
export const turnKey = (keyApi: KeyApi, apiKey: ApiKey, to: Toggle['to']) =>
  changeAsShown(apiKey, {
    change: (etag) => keyApi[to === 'disabled' ? 'disable' : 'enable'](apiKey.id, etag),
    read: () => keyApi.read(apiKey.id),
    partOf: ({ status }) => status,
  });

/** How long the undo button is shown: long enough to read the message and notice a mistake. */
const UNDO_MS = 10_000;

/** Returns a function that disables or enables a key and then offers to undo the change. */
function useToggle() {
  const t = useTexts(keyActionsTexts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const problemText = useProblemText();
  const toggle = useMutation({
    mutationFn: ({ apiKey, to }: Toggle) => turnKey(keyApi, apiKey, to),
    onSuccess: async ({ settings, isOthers }, { apiKey, to }) => {
      await keysChanged();
      const id = `key-${apiKey.id}`;
      const undo = (): void => {
        notifications.hide(id);
        toggle.mutate({ apiKey: settings, to: to === 'disabled' ? 'enabled' : 'disabled' });
      };
      notifications.hide(id);
      if (isOthers) {
        const by = settings.status === 'disabled' ? 'disabledBefore' : 'enabledBefore';
        notifications.show({ id, message: t(by, { name: settings.name }) });
        return;
      }
      notifications.show({
        id,
        autoClose: UNDO_MS,
        color: to === 'disabled' ? 'yellow' : 'green',
        message: (
          <>
            <Text size="sm">
              {t(to === 'disabled' ? 'isDisabled' : 'isEnabled', { name: apiKey.name })}
            </Text>
            <Button size="compact-xs" variant="default" mt={6} onClick={undo}>
              {t('undo')}
            </Button>
          </>
        ),
      });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: problemText(error) ?? error.message }),
  });
  return toggle;
}

type KeyDialogsProps = {
  readonly apiKey: ApiKey;
  readonly dialog: OpenDialog;
  readonly onClose: () => void;
};

function KeyDialogs({ apiKey, dialog, onClose }: KeyDialogsProps) {
  const t = useTexts(keyActionsTexts);
  const keyApi = useKeyApi();
  const keysChanged = useKeysChanged();
  const [rotated, setRotated] = useState<{ readonly key: CreatedKey; readonly old: string } | null>(
    null,
  );
  return (
    <>
      <EditKeyDialog apiKey={apiKey} opened={dialog === 'edit'} onClose={onClose} />
      <RotateKeyDialog
        apiKey={apiKey}
        opened={dialog === 'rotate'}
        onClose={onClose}
        onRotated={(key) => {
          setRotated({ key, old: apiKey.masked });
          onClose();
        }}
      />
      <TypeToConfirm
        opened={dialog === 'revoke'}
        onClose={onClose}
        title={t('revokeTitle', { name: apiKey.name })}
        phrase={apiKey.name}
        confirm={t('confirmRevoke')}
        act={() => keyApi.revoke(apiKey.id)}
        onDone={() => {
          notifications.show({ message: t('isRevoked', { name: apiKey.name }) });
          return keysChanged();
        }}
      >
        {t('revokeText')}
      </TypeToConfirm>
      {rotated === null ? null : (
        <SecretDialog
          secret={rotated.key.secret}
          models={rotated.key.limits.models}
          note={<BothEnds old={rotated.old} apiKey={rotated.key} />}
          onSaved={() => setRotated(null)}
        />
      )}
    </>
  );
}

function BothEnds({ old, apiKey }: { readonly old: string; readonly apiKey: ApiKey }) {
  const t = useTexts(keyActionsTexts);
  const { time } = useFormats();
  const { previous, current } = secretEnds(apiKey, Date.now());
  return (
    <Text size="sm">
      {previous === null ? t('oldEnded', { old }) : t('oldEnds', { old, time: time(previous) })}
      <br />
      {current === null ? t('newNeverEnds') : t('newEnds', { time: time(current) })}
    </Text>
  );
}

/** The dialogs that publish, update, edit and delete an incident or maintenance. */
import { Select, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { newIdempotencyKey } from '#api/client.ts';
import { every } from '#api/lists.ts';
import { noticeTexts } from '#catalogue/notice-facts.tsx';
import { Dialog } from '#components/dialog.tsx';
import { useApiForm } from '#components/forms/api-form.ts';
import { FormBody } from '#components/forms/form-footer.tsx';
import { useSharedForm } from '#components/forms/shared-form.ts';
import { TypeToConfirm } from '#components/forms/type-to-confirm.tsx';
import { useFormats } from '#i18n/formats.ts';
import { useTexts } from '#i18n/texts.ts';
import { adminNoticeTexts } from './notice-admin-texts.ts';
import { MAX_TEXT, NoticeFields, useAffectableLabel, useNoticeChecks } from './notice-fields.tsx';
import {
  editOf,
  momentOf,
  NO_MOMENT,
  type NoticeForm,
  newNoticeOf,
  noticeFormOf,
  type SetState,
} from './notice-form.ts';
import {
  type AdminNotice,
  createNotice,
  deleteNotice,
  editNotice,
  readNotice,
  updateNotice,
  useNoticesChanged,
} from './notice-queries.ts';

/** The action that a dialog performs, and the notice that the action concerns. */
export type NoticeTask =
  | { readonly act: 'create'; readonly kind: AdminNotice['kind'] }
  | { readonly act: 'update'; readonly notice: AdminNotice; readonly state: SetState | null }
  | { readonly act: 'edit' | 'delete'; readonly notice: AdminNotice };

export type NoticeDialogProps = {
  /** The dialog to show; null while none is open. */
  readonly task: NoticeTask | null;
  readonly onClose: () => void;
};

export function NoticeDialog({ task, onClose }: NoticeDialogProps) {
  const t = useTexts(adminNoticeTexts);
  const changed = useNoticesChanged();
  if (task?.act === 'delete') {
    const { id, title } = task.notice;
    return (
      <TypeToConfirm
        opened
        onClose={onClose}
        title={t('deleteOf', { title })}
        phrase={title}
        confirm={t('delete')}
        act={() => deleteNotice(id)}
        onDone={async () => {
          await changed();
          notifications.show({ color: 'green', message: t('deleted', { title }) });
        }}
      >
        {t('deleteLead')}
      </TypeToConfirm>
    );
  }
  return (
    <Dialog opened={task !== null} onClose={onClose} title={task === null ? '' : titleOf(task, t)}>
      {task?.act === 'create' ? <CreateForm kind={task.kind} onClose={onClose} /> : null}
      {task?.act === 'update' ? <UpdateForm {...task} onClose={onClose} /> : null}
      {task?.act === 'edit' ? <EditForm notice={task.notice} onClose={onClose} /> : null}
    </Dialog>
  );
}

type Translate = ReturnType<
  typeof useTexts<'newIncident' | 'newMaintenance' | 'updateOf' | 'editOf'>
>;

function titleOf(task: Exclude<NoticeTask, { act: 'delete' }>, t: Translate): string {
  if (task.act === 'create') return t(task.kind === 'incident' ? 'newIncident' : 'newMaintenance');
  const { title } = task.notice;
  return t(task.act === 'edit' ? 'editOf' : 'updateOf', { title });
}

/** The states of an incident in their usual order. */
const STATES = every<SetState>({
  investigating: true,
  identified: true,
  monitoring: true,
  resolved: true,
});
const stateOf = (value: string | null): SetState =>
  STATES.find((state) => state === value) ?? 'investigating';

type StateSelectProps = { readonly value: SetState; readonly onChange: (state: SetState) => void };

function StateSelect({ value, onChange }: StateSelectProps) {
  const t = useTexts(adminNoticeTexts);
  const words = useTexts(noticeTexts);
  return (
    <Select
      label={t('state')}
      allowDeselect={false}
      data={STATES.map((state) => ({ value: state, label: words(state) }))}
      value={value}
      onChange={(chosen) => onChange(stateOf(chosen))}
    />
  );
}

type CreateFormProps = { readonly kind: AdminNotice['kind']; readonly onClose: () => void };

function CreateForm({ kind, onClose }: CreateFormProps) {
  const t = useTexts(adminNoticeTexts);
  const changed = useNoticesChanged();
  const [key] = useState(newIdempotencyKey);
  const isPlanned = kind === 'maintenance';
  const { form, ...sending } = useApiForm<NoticeForm & { state: SetState }, AdminNotice>({
    initialValues: {
      ...{ title: '', text: '', affects: [], starts_at: NO_MOMENT, ends_at: NO_MOMENT },
      state: 'investigating',
    },
    validate: useNoticeChecks(isPlanned),
    send: ({ state, ...values }) => createNotice(newNoticeOf(kind, values, state), key),
    onSent: async ({ title }) => {
      await changed();
      notifications.show({ color: 'green', message: t('published', { title }) });
      onClose();
    },
  });
  return (
    <FormBody of={sending} submit={t('publish')} onCancel={onClose}>
      <NoticeFields
        form={form}
        textLabel={t('text')}
        hasEnd={isPlanned}
        {...(isPlanned ? {} : { startHint: t('startHint') })}
      >
        {isPlanned ? null : (
          <StateSelect
            value={form.values.state}
            onChange={(state) => form.setFieldValue('state', state)}
          />
        )}
      </NoticeFields>
    </FormBody>
  );
}

type UpdateFormProps = {
  readonly notice: AdminNotice;
  /** The initially selected state; null to keep the current state. */
  readonly state: SetState | null;
  readonly onClose: () => void;
};

function UpdateForm({ notice, state, onClose }: UpdateFormProps) {
  const t = useTexts(adminNoticeTexts);
  const changed = useNoticesChanged();
  const [key] = useState(newIdempotencyKey);
  const isIncident = notice.kind === 'incident';
  const { form, ...sending } = useApiForm({
    initialValues: { text: '', state: state ?? stateOf(notice.state) },
    validate: ({ text }) => ({ text: text.trim() === '' ? t('required') : null }),
    send: (values) =>
      updateNotice(
        notice.id,
        { text: values.text, ...(isIncident || state !== null ? { state: values.state } : {}) },
        key,
      ),
    onSent: async ({ title }) => {
      await changed();
      notifications.show({ color: 'green', message: t('saved', { title }) });
      onClose();
    },
  });
  return (
    <FormBody of={sending} submit={t('publish')} onCancel={onClose}>
      {isIncident ? (
        <StateSelect
          value={form.values.state}
          onChange={(next) => form.setFieldValue('state', next)}
        />
      ) : null}
      <Textarea
        label={t('text')}
        description={t('textHint')}
        maxLength={MAX_TEXT}
        autosize
        minRows={3}
        maxRows={12}
        data-autofocus
        {...form.getInputProps('text')}
      />
    </FormBody>
  );
}

type EditFormProps = { readonly notice: AdminNotice; readonly onClose: () => void };

function EditForm({ notice, onClose }: EditFormProps) {
  const t = useTexts(adminNoticeTexts);
  const changed = useNoticesChanged();
  const label = useAffectableLabel();
  const { list, time } = useFormats();
  const { form, ...sending } = useSharedForm<NoticeForm, AdminNotice>({
    opened: notice,
    valuesOf: noticeFormOf,
    validate: useNoticeChecks(notice.kind === 'maintenance'),
    read: () => readNotice(notice.id),
    change: (values, saved) => editNotice(notice.id, editOf(values, saved.values), saved.etag),
    fieldOf: (path, values) => {
      const timeOf = (name: 'starts_at' | 'ends_at'): string => {
        const moment = momentOf(values[name]);
        return moment == null ? '–' : time(moment);
      };
      if (path.startsWith('starts_at')) return { label: t('starts'), value: timeOf('starts_at') };
      if (path.startsWith('ends_at')) return { label: t('ends'), value: timeOf('ends_at') };
      if (path === 'affects')
        return { label: t('affects'), value: list(values.affects.map(label)) };
      return path === 'title'
        ? { label: t('title'), value: values.title }
        : { label: t('latestText'), value: <Text size="sm">{values.text}</Text> };
    },
    done: ({ title }) => t('saved', { title }),
    onSaved: async () => {
      await changed();
      onClose();
    },
  });
  return (
    <FormBody of={sending} submit={t('save')} onCancel={onClose}>
      <NoticeFields form={form} textLabel={t('latestText')} hasEnd={notice.ends_at !== null} />
    </FormBody>
  );
}

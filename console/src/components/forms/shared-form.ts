/**
 * A form for settings that others may change while it is open. It keeps the values and the entity
 * tag that it was opened with. If others saved different fields meanwhile, both changes are saved.
 * If they saved the same fields, the person chooses a value for each. No typed text is lost.
 */
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { ApiError, isStale } from '#api/api-error.ts';
import { useFormats } from '#i18n/formats.ts';
import { defineTexts, useTexts } from '#i18n/texts.ts';
import { type ApiForm, type ApiFormOptions, useApiForm } from './api-form.ts';
import { type Fields, isSame, mergeEdits, valueAt, withFields } from './merge-edits.ts';

const texts = defineTexts('shared-form', {
  en: { kept: 'Changes that somebody else saved meanwhile were kept: {{fields}}.' },
  zh: { kept: '其他人在此期间保存的更改已保留：{{fields}}。' },
});

/** Settings as the API returns them. */
export type Tagged = { readonly etag: string };

/** The form values that were read from the settings, and the entity tag of these settings. */
export type Saved<Values> = { readonly values: Values; readonly etag: string };

/** A field's label and value, as the form shows them. */
export type ShownField = { readonly label: string; readonly value: ReactNode };

export type SharedFormOptions<Values extends Fields, Settings extends Tagged> = Pick<
  ApiFormOptions<Values, Settings>,
  'refusal'
> & {
  /** The settings that the form opens with. Later values of this prop are ignored. */
  readonly opened: Settings;
  readonly valuesOf: (settings: Settings) => Values;
  readonly validate?: (values: Values, saved: Values) => ReturnType<Validate<Values>>;
  readonly read: () => Promise<Settings>;
  /** Sends a change that is based on `saved`. The entity tag of `saved` goes in `If-Match`. */
  readonly change: (values: Values, saved: Saved<Values>) => Promise<Settings>;
  /** Returns the label of a field, and its value, as the form shows them. */
  readonly fieldOf: (path: string, values: Values) => ShownField;
  /** Returns the success message. */
  readonly done: (settings: Settings) => string;
  readonly onSaved?: (settings: Settings) => Promise<void> | void;
};
type Validate<Values extends Fields> = NonNullable<ApiFormOptions<Values, unknown>['validate']>;

export const CHOICES = ['mine', 'theirs'] as const;
export type Choice = (typeof CHOICES)[number];

/** The fields that this person and somebody else changed to different values. */
export type Conflict = {
  readonly fields: readonly {
    readonly path: string;
    readonly label: string;
    readonly mine: ReactNode;
    readonly theirs: ReactNode;
    readonly choice: Choice;
  }[];
  /**
   * The entity tag of the other person's settings. It identifies the conflict, because each later
   * conflict of the form has a different tag.
   */
  readonly etag: string;
  /** Chooses the person's own values or the saved values for these fields. */
  readonly choose: (choice: Choice, paths: readonly string[]) => void;
};

export type SharedForm<Values extends Fields> = ApiForm<Values> & {
  readonly conflict: Conflict | null;
  /** Whether the settings no longer exist, so that nothing can be saved. */
  readonly isGone: boolean;
};

/** The maximum number of times that one change is merged with changes of others. */
const MAX_MERGES = 5;

type Clash<Values> = {
  readonly paths: readonly string[];
  readonly theirs: Values;
  readonly mine: Values;
};
type Sent<Values, Settings> = {
  readonly settings: Settings;
  /**
   * The values that were sent: the values of this person, merged with those that others saved
   * meanwhile.
   */
  readonly own: Values;
  /** The paths of fields that only others changed, and whose changes were kept. */
  readonly kept: readonly string[];
};

export function useSharedForm<Values extends Fields, Settings extends Tagged>(
  options: SharedFormOptions<Values, Settings>,
): SharedForm<Values> {
  const { opened, valuesOf, validate = () => ({}), fieldOf, done, onSaved } = options;
  const t = useTexts(texts);
  const { list } = useFormats();
  const savedFrom = (settings: Settings): Saved<Values> => ({
    values: valuesOf(settings),
    etag: settings.etag,
  });
  const [saved, setSaved] = useState(() => savedFrom(opened));
  const [clash, setClash] = useState<Clash<Values> | null>(null);

  /**
   * Fills the form with the values that others saved. Fields whose values in the form differ from
   * `from` were edited by the person, and stay as they are.
   */
  const takeOver = (from: Values, to: Saved<Values>): void => {
    form.setValues(mergeEdits(from, to.values, form.getValues()).values);
    form.resetDirty(to.values);
    setSaved(to);
  };

  /** Sends the values, merged with what others have saved meanwhile. */
  const send = async (values: Values): Promise<Sent<Values, Settings>> => {
    const kept = new Set<string>();
    let [own, from] = [values, saved];
    for (let merges = 0; ; merges += 1) {
      try {
        return { settings: await options.change(own, from), own, kept: [...kept] };
      } catch (error) {
        if (!isStale(error) || merges === MAX_MERGES) throw error;
        const now = savedFrom(await options.read());
        const merged = mergeEdits(from.values, now.values, own);
        for (const path of merged.kept) kept.add(path);
        if (merged.clashes.length > 0) {
          takeOver(saved.values, now);
          setClash({ paths: merged.clashes, theirs: now.values, mine: own });
          throw error;
        }
        [own, from] = [merged.values, now];
      }
    }
  };

  const sending = useApiForm<Values, Sent<Values, Settings>>({
    initialValues: saved.values,
    validate: (values) => validate(values, saved.values),
    ...(options.refusal === undefined ? {} : { refusal: options.refusal }),
    send,
    onSent: async ({ settings, own, kept }, values) => {
      setClash(null);
      takeOver(values, savedFrom(settings));
      await onSaved?.(settings);
      const fields = list(kept.map((path) => fieldOf(path, own).label));
      const message = done(settings);
      notifications.show({
        color: 'green',
        message: kept.length === 0 ? message : `${message} ${t('kept', { fields })}`,
      });
    },
  });
  const { form, problem } = sending;

  const choose = (choice: Choice, chosen: readonly string[]): void => {
    if (clash === null) return;
    const values = form.getValues();
    // Keeps the text that the person typed, so that the field shows it again if they choose their
    // own value.
    const typed = chosen.filter((path) => !hasSame(path, values, clash.theirs));
    const mine = withFields(clash.mine, values, typed);
    setClash({ ...clash, mine });
    form.setValues(withFields(values, choice === 'mine' ? mine : clash.theirs, chosen));
  };
  return {
    ...sending,
    problem: clash !== null && isStale(problem) ? null : problem,
    conflict:
      clash === null
        ? null
        : { etag: saved.etag, choose, fields: comparison(clash, form.values, fieldOf) },
    isGone: problem instanceof ApiError && isGone(problem),
  };
}

const hasSame = (path: string, a: Fields, b: Fields): boolean =>
  isSame(valueAt(a, path), valueAt(b, path));

function comparison<Values extends Fields>(
  { paths, theirs, mine }: Clash<Values>,
  shown: Values,
  fieldOf: (path: string, values: Values) => ShownField,
): Conflict['fields'] {
  return paths.map((path) => {
    const isTheirs = hasSame(path, shown, theirs);
    const { label, value } = fieldOf(path, isTheirs ? mine : shown);
    const choice = isTheirs ? 'theirs' : 'mine';
    return { path, label, mine: value, theirs: fieldOf(path, theirs).value, choice };
  });
}

const isGone = ({ status, extra }: ApiError): boolean =>
  status === 404 || extra['reason'] === 'key_revoked';

/** The fields of a schema; nested fields expand on request. */
import { Badge, Code, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import type { Schema } from './openapi.ts';
import classes from './reference.module.css';
import { referenceTexts } from './reference-texts.ts';
import { type Field, fieldsOf } from './schema-tree.ts';

export type SchemaFieldsProps = {
  readonly schema: Schema;
  readonly schemas: Readonly<Record<string, unknown>>;
};

export function SchemaFields({ schema, schemas }: SchemaFieldsProps) {
  return (
    <Stack component="ul" gap={0} className={classes['fields'] ?? ''}>
      {fieldsOf(schema, schemas).map((field, at) => (
        // The name alone is no key: two alternatives of a schema may have fields with the same
        // name.
        // biome-ignore lint/suspicious/noArrayIndexKey: fields are identified by position.
        <FieldRow key={`${field.name} ${at}`} field={field} schemas={schemas} />
      ))}
    </Stack>
  );
}

type FieldRowProps = { readonly field: Field } & Pick<SchemaFieldsProps, 'schemas'>;

export function FieldRow({ field, schemas }: FieldRowProps) {
  const t = useTexts(referenceTexts);
  const [isOpen, setOpen] = useState(false);
  const { inner } = field;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <li className={classes['field']}>
      <Group gap={8}>
        {inner === null ? (
          <FieldName field={field} />
        ) : (
          <UnstyledButton
            aria-expanded={isOpen}
            aria-label={t('fields', { name: field.name })}
            onClick={() => setOpen(!isOpen)}
          >
            <Group gap={2}>
              <FieldName field={field} />
              <Chevron size={14} aria-hidden />
            </Group>
          </UnstyledButton>
        )}
        <Text span size="xs" c="dimmed">
          {field.type}
        </Text>
        {field.isRequired ? (
          <Badge size="sm" color="orange">
            {t('required')}
          </Badge>
        ) : null}
        {field.limits.map((limit) => (
          <Text key={limit} span size="xs" c="dimmed">
            {limit}
          </Text>
        ))}
      </Group>
      <Values values={field.values} />
      {field.description === '' ? null : <Description text={field.description} />}
      {inner !== null && isOpen ? <SchemaFields schema={inner} schemas={schemas} /> : null}
    </li>
  );
}

const FieldName = ({ field: { name } }: { readonly field: Field }) => (
  <Text span ff="monospace" size="sm" fw={600}>
    {name}
  </Text>
);

/** A description, in which backticks mark code. */
function Description({ text }: { readonly text: string }) {
  const pieces = text.split('`').map((piece, at) => ({ piece, at, isCode: at % 2 === 1 }));
  return (
    <Text size="sm">
      {pieces.map(({ piece, at, isCode }) =>
        isCode ? <Code key={at}>{piece}</Code> : <span key={at}>{piece}</span>,
      )}
    </Text>
  );
}

function Values({ values }: Pick<Field, 'values'>) {
  const t = useTexts(referenceTexts);
  if (values.length === 0) return null;
  return (
    <Group gap={4}>
      <Text span size="xs" c="dimmed">
        {t('oneOf')}
      </Text>
      {values.map((value) => (
        <Code key={value}>{value}</Code>
      ))}
    </Group>
  );
}

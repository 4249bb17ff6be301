/** The details of one operation of the API reference. */
import { Badge, Code, Group, Stack, Tabs, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useModels } from '#catalogue/models.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { Copyable } from '#components/copyable.tsx';
import { useTexts } from '#i18n/texts.ts';
import { curlOf, exampleAnswer, exampleRequest, pythonOf, typescriptOf } from './examples.ts';
import type { Answer, Operation, Reference, Schema } from './openapi.ts';
import classes from './reference.module.css';
import { referenceTexts } from './reference-texts.ts';
import { type Field, fieldOf, fieldsOf, typeOf } from './schema-tree.ts';
import { TryIt } from './try-it.tsx';

const SCHEMES = ['apiKey', 'xApiKey', 'session', 'adminToken'] as const;

export type OperationDetailsProps = {
  readonly operation: Operation;
  readonly reference: Reference;
};

export function OperationDetails({ operation, reference }: OperationDetailsProps) {
  const t = useTexts(referenceTexts);
  const { schemas } = reference;
  const schemes = SCHEMES.filter((scheme) => operation.auth.includes(scheme));
  return (
    <Stack gap="lg">
      <Stack gap={4} align="flex-start">
        <Copyable value={`${reference.baseUrl}${operation.path}`} />
        {operation.alsoAt === null ? null : (
          <Text variant="note">
            {t('alsoAt')} <Code>{operation.alsoAt}</Code>
          </Text>
        )}
      </Stack>
      <Part title={t('auth')}>
        <Text size="sm">
          {schemes.length === 0 ? t('public') : schemes.map((scheme) => t(scheme)).join(' · ')}
        </Text>
      </Part>
      {operation.parameters.length === 0 ? null : (
        <Part title={t('parameters')}>
          <Stack component="ul" gap={0} className={classes['fields'] ?? ''}>
            {operation.parameters.map(({ name, in: place, isRequired, schema }) => {
              const field = fieldOf(name, schema, isRequired, schemas);
              return (
                <FieldRow
                  key={`${place} ${name}`}
                  field={{ ...field, type: `${field.type}, ${place}` }}
                  schemas={schemas}
                />
              );
            })}
          </Stack>
        </Part>
      )}
      {operation.request === null ? null : (
        <Part title={t('request')}>
          <SchemaFields schema={operation.request} schemas={schemas} />
        </Part>
      )}
      <Part title={t('answers')}>
        <Answers answers={operation.answers} reference={reference} />
      </Part>
      <Samples operation={operation} reference={reference} />
    </Stack>
  );
}

/**
 * Shows programs that send the request, a form that sends it from this page, and an example
 * response.
 */
function Samples({ operation, reference }: OperationDetailsProps) {
  const t = useTexts(referenceTexts);
  const { data: models = [] } = useModels();
  const kind = operation.tag === 'images' ? 'image' : operation.tag;
  const model = models.find((each) => each.kind === (kind === 'embeddings' ? 'embedding' : kind));
  const request = exampleRequest(operation, reference, (model ?? models[0])?.id);
  const answer = exampleAnswer(operation, reference);
  const programs = [
    { name: 'curl', language: 'bash', code: curlOf(request, reference.baseUrl) },
    { name: 'Python', language: 'python', code: pythonOf(request, reference.baseUrl) },
    { name: 'TypeScript', language: 'typescript', code: typescriptOf(request, reference.baseUrl) },
  ] as const;
  const isOpen = operation.auth.length === 0 || operation.auth.includes('apiKey');
  return (
    <>
      <Part title={t('example')}>
        <Tabs defaultValue="curl" keepMounted={false}>
          <Tabs.List aria-label={t('languages')}>
            {programs.map(({ name }) => (
              <Tabs.Tab key={name} value={name}>
                {name}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {programs.map(({ name, language, code }) => (
            <Tabs.Panel key={name} value={name} pt="sm">
              <CodeBlock
                code={code}
                language={language}
                label={`${name}: ${operation.method} ${operation.path}`}
              />
            </Tabs.Panel>
          ))}
        </Tabs>
      </Part>
      {answer === null ? null : (
        <Part title={t('exampleAnswer')}>
          <CodeBlock
            code={answer}
            language="json"
            label={`${t('exampleAnswer')}: ${operation.method} ${operation.path}`}
          />
        </Part>
      )}
      {isOpen ? (
        <Part title={t('tryIt')}>
          <TryIt request={request} />
        </Part>
      ) : null}
    </>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Stack gap={6}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {children}
    </Stack>
  );
}

type AnswersProps = { readonly answers: readonly Answer[]; readonly reference: Reference };

function Answers({ answers, reference }: AnswersProps) {
  const t = useTexts(referenceTexts);
  const [first] = answers;
  if (first === undefined) return null;
  return (
    <Tabs defaultValue={first.status} keepMounted={false}>
      <Tabs.List>
        {answers.map(({ status }) => (
          <Tabs.Tab key={status} value={status}>
            {status === 'default' ? t('default') : status}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {answers.map(({ status, description, mediaTypes }) => (
        <Tabs.Panel key={status} value={status} pt="sm">
          <Stack gap="xs">
            <Text variant="note">{description}</Text>
            {mediaTypes.map(({ type, schema }) => (
              <Stack key={type} gap={4}>
                <Group gap="xs">
                  <Code>{type}</Code>
                  <Text span variant="caption">
                    {Object.keys(schema).length === 0
                      ? t('noBody')
                      : typeOf(schema, reference.schemas)}
                  </Text>
                </Group>
                <SchemaFields schema={schema} schemas={reference.schemas} />
              </Stack>
            ))}
          </Stack>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

type SchemaFieldsProps = {
  readonly schema: Schema;
  readonly schemas: Readonly<Record<string, unknown>>;
};

function SchemaFields({ schema, schemas }: SchemaFieldsProps) {
  return (
    <Stack component="ul" gap={0} className={classes['fields'] ?? ''}>
      {fieldsOf(schema, schemas).map((field, at) => (
        // The name alone is not unique: two alternatives of a schema may have fields with the same
        // name.
        // biome-ignore lint/suspicious/noArrayIndexKey: fields are identified by position.
        <FieldRow key={`${field.name} ${at}`} field={field} schemas={schemas} />
      ))}
    </Stack>
  );
}

type FieldRowProps = { readonly field: Field } & Pick<SchemaFieldsProps, 'schemas'>;

/** One field of a JSON schema. Its nested fields are shown when the person expands it. */
function FieldRow({ field, schemas }: FieldRowProps) {
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
        <Text span variant="caption">
          {field.type}
        </Text>
        {field.isRequired ? (
          <Badge size="sm" color="orange">
            {t('required')}
          </Badge>
        ) : null}
        {field.limits.map((limit) => (
          <Text key={limit} span variant="caption">
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

/** A description. Text in backticks is shown as code. */
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
      <Text span variant="caption">
        {t('oneOf')}
      </Text>
      {values.map((value) => (
        <Code key={value}>{value}</Code>
      ))}
    </Group>
  );
}

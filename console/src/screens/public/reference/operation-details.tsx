/** The details of one operation. */
import { Code, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useModels } from '#catalogue/models.ts';
import { CodeBlock } from '#code/code-block.tsx';
import { Copyable } from '#components/copyable.tsx';
import { useTexts } from '#i18n/texts.ts';
import { curlOf, exampleAnswer, exampleRequest, pythonOf, typescriptOf } from './examples.ts';
import type { Answer, Operation, Reference } from './openapi.ts';
import classes from './reference.module.css';
import { referenceTexts } from './reference-texts.ts';
import { FieldRow, SchemaFields } from './schema-fields.tsx';
import { fieldOf, typeOf } from './schema-tree.ts';
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
          <Text size="sm" c="dimmed">
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

/** Programs that send the request, the form that sends it from here, and an answer. */
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
            <Text size="sm" c="dimmed">
              {description}
            </Text>
            {mediaTypes.map(({ type, schema }) => (
              <Stack key={type} gap={4}>
                <Group gap="xs">
                  <Code>{type}</Code>
                  <Text span size="xs" c="dimmed">
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

import { expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { scanObject } from '../../json/scan.ts';
import { readGemini } from './request.ts';

const read = (request: object) =>
  readGemini(scanObject(new TextEncoder().encode(JSON.stringify(request)), 100), 'm', false);
const said = (...parts: readonly object[]) => ({ role: 'user', parts });
const hi = { contents: [said({ text: 'Hi' })] };
const inline = (mimeType: unknown) => ({
  contents: [said({ inlineData: { mimeType, data: '' } })],
});
const allowing = (name: unknown) => ({
  ...hi,
  tools: [{ functionDeclarations: [{ name: 'f' }] }],
  toolConfig: { functionCallingConfig: { allowedFunctionNames: [name] } },
});

test.each([
  ['contents', {}],
  ['contents', { contents: [] }],
  ['contents[0]', { contents: ['Hi'] }],
  ['contents[0].parts', { contents: [{ role: 'user' }] }],
  ['contents[0].role', { contents: [{ role: 'system', parts: [] }] }],
  ['contents[0].parts[0]', { contents: [said({ executableCode: {} })] }],
  ['contents[0].parts[0].inlineData.mimeType', inline('video/mp4')],
  ['contents[0].parts[0].inlineData.mimeType', inline({ toString: 1 })],
  [
    'contents[0].parts[0].fileData',
    { contents: [said({ fileData: { fileUri: 'gs://bucket/x', mimeType: 'image/png' } })] },
  ],
  [
    'contents[0].parts[0].functionResponse',
    { contents: [said({ functionResponse: { name: 'f', response: {} } })] },
  ],
  [
    'contents[0].parts[0].functionCall.name',
    { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] },
  ],
  ['cachedContent', { ...hi, cachedContent: 'c' }],
  ['surprise', { ...hi, surprise: 1 }],
  ['tools[0].codeExecution', { ...hi, tools: [{ codeExecution: {} }] }],
  ['tools[0]', { ...hi, tools: 'search' }],
  ['toolConfig.functionCallingConfig.allowedFunctionNames', allowing({ toString: 1 })],
  ['systemInstruction.parts[0]', { ...hi, systemInstruction: { parts: 5 } }],
  [
    'generationConfig.responseModalities',
    { ...hi, generationConfig: { responseModalities: 'IMAGE' } },
  ],
  ['tools[0].functionDeclarations[0].name', { ...hi, tools: [{ functionDeclarations: [{}] }] }],
  ['generationConfig', { ...hi, generationConfig: [] }],
  ['generationConfig.speechConfig', { ...hi, generationConfig: { speechConfig: {} } }],
  [
    'generationConfig.responseModalities',
    { ...hi, generationConfig: { responseModalities: ['IMAGE'] } },
  ],
  [
    'generationConfig.responseMimeType',
    { ...hi, generationConfig: { responseMimeType: 'text/x.enum' } },
  ],
  [
    'generationConfig.responseMimeType',
    { ...hi, generationConfig: { responseSchema: { type: 'STRING' } } },
  ],
  [
    'generationConfig.thinkingConfig.thinkingBudget',
    { ...hi, generationConfig: { thinkingConfig: { thinkingBudget: 'x' } } },
  ],
])('refuses a wrong %s', (param, request) => {
  const refusal = (() => {
    try {
      return read(request);
    } catch (thrown) {
      return thrown;
    }
  })();
  expect(refusal).toBeInstanceOf(GatewayError);
  expect(refusal).toHaveProperty('param', param);
});

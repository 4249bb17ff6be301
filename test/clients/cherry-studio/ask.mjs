/**
 * Sends a question as Cherry Studio does, with its own library: `node ask.mjs PROVIDER URL MODEL`,
 * with the key in `KEY`. Prints a plain and a streamed answer as JSON.
 */
import { createExecutor } from '@cherrystudio/ai-core';

// Disables the library's warnings, which would be printed between the answers.
globalThis.AI_SDK_LOG_WARNINGS = false;
const [provider, baseURL, model] = process.argv.slice(2);
const settings = { name: 'modelgate', apiKey: process.env.KEY, baseURL };
const executor = await createExecutor(provider, settings);
const prompt = 'Hello there';
const plain = await executor.generateText({ model, prompt });
const stream = await executor.streamText({ model, prompt });
console.log(JSON.stringify([plain.text, await stream.text]));

/** Shell commands that set the environment variables of programs. */
import { shellQuoted } from './literal.ts';
import { type ChatRequest, KEY_VARIABLE, type Program, type Target } from './request.ts';

const secretOf = ({ key }: Target): string =>
  key === null ? `"$${KEY_VARIABLE}"` : shellQuoted(key);

/**
 * Sets the environment variables for Claude Code. It uses different models for the main work and
 * for small tasks. All of them are set to `model`.
 */
export function claudeCode(target: Target, { model }: ChatRequest): Program {
  const name = shellQuoted(model);
  const code = `export ANTHROPIC_BASE_URL=${shellQuoted(target.baseUrl)}
export ANTHROPIC_AUTH_TOKEN=${secretOf(target)}
export ANTHROPIC_MODEL=${name}
export ANTHROPIC_DEFAULT_OPUS_MODEL=${name}
export ANTHROPIC_DEFAULT_SONNET_MODEL=${name}
export ANTHROPIC_DEFAULT_HAIKU_MODEL=${name}
export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1
unset ANTHROPIC_API_KEY

claude
`;
  return { language: 'bash', code, install: 'npm install -g @anthropic-ai/claude-code' };
}

/** Starts Codex, which speaks the Responses API, with the gateway as its provider. */
export function codex(target: Target, { model }: ChatRequest): Program {
  const provider = 'model_providers.modelgate';
  const code = `export ${KEY_VARIABLE}=${secretOf(target)}

codex --model ${shellQuoted(model)} \\
  --config model_provider=modelgate \\
  --config ${provider}.name=Modelgate \\
  --config ${provider}.base_url=${shellQuoted(`${target.baseUrl}/v1`)} \\
  --config ${provider}.env_key=${KEY_VARIABLE}
`;
  return { language: 'bash', code, install: 'npm install -g @openai/codex' };
}

/**
 * Sets the environment variables that the OpenAI and Anthropic libraries read, and therefore most
 * programs that use these libraries.
 */
export function environment(target: Target): Program {
  const secret = secretOf(target);
  const code = `export OPENAI_BASE_URL=${shellQuoted(`${target.baseUrl}/v2`)}
export OPENAI_API_KEY=${secret}
export ANTHROPIC_BASE_URL=${shellQuoted(target.baseUrl)}
export ANTHROPIC_API_KEY=${secret}
`;
  return { language: 'bash', code, install: null };
}

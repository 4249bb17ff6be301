/** Responses as LangChain's `ChatOpenAI` reads them with `useResponsesApi`. */
import { ChatOpenAI } from '@langchain/openai';
import { describeJudges } from './support/judge/describe-judges.ts';
import { CHAT_TOOLS } from './support/judge/judge-chat-body.ts';
import { langchainJudge } from './support/judge/judge-langchain.ts';
import { responsesBody } from './support/judge/judge-responses-body.ts';

describeJudges([
  langchainJudge({
    client: 'LangChain ChatOpenAI, useResponsesApi',
    bodyOf: (model, question) => ({ messages: responsesBody(model, question).input }),
    modelOf: ({ url, key, model }, question) => {
      const body = responsesBody(model, question);
      const made = new ChatOpenAI({
        model,
        apiKey: key,
        maxRetries: 0,
        maxTokens: body.max_output_tokens,
        useResponsesApi: true,
        // Keeps the reasoning in the history, since nothing is stored.
        zdrEnabled: true,
        configuration: { baseURL: `${url}/v2` },
        // The library leaves `reasoning` out for models that it does not know.
        modelKwargs: {
          ...(body.reasoning ? { reasoning: body.reasoning } : {}),
          ...(body.text ? { text: body.text } : {}),
        },
      });
      return question.tools ? made.bindTools(CHAT_TOOLS) : made;
    },
  }),
]);

/** Providers' usage reports in their documented formats, served over HTTP. */

/** 2026-11-20, as days and as seconds since 1970. */
export const DAY = 20_777;
const OPENAI_DAY = DAY * 86_400;

/** The response bodies of a provider, by path. A list has one body for each page. */
export type Recorded = Readonly<Record<string, string | readonly string[]>>;

export const OPENAI: Recorded = {
  '/v1/organization/usage/completions': [
    `{"object":"page","data":[{"object":"bucket","start_time":${OPENAI_DAY},"end_time":${OPENAI_DAY + 86_400},"results":[
      {"object":"organization.usage.completions.result","input_tokens":1000,"output_tokens":500,"input_cached_tokens":800,"input_audio_tokens":0,"output_audio_tokens":0,"num_model_requests":2,"project_id":"proj_a","user_id":null,"api_key_id":"key_a","model":"gpt-6-astra-2026-05-01","batch":false},
      {"object":"organization.usage.completions.result","input_tokens":77,"output_tokens":7,"input_cached_tokens":0,"num_model_requests":1,"project_id":"proj_a","user_id":null,"api_key_id":"key_other","model":"gpt-6-astra-2026-05-01","batch":null}
    ]}],"has_more":true,"next_page":"page_2"}`,
    `{"object":"page","data":[{"object":"bucket","start_time":${OPENAI_DAY + 86_400},"end_time":${OPENAI_DAY + 172_800},"results":[]}],"has_more":false,"next_page":null}`,
  ],
  '/v1/organization/usage/images': `{"object":"page","data":[{"object":"bucket","start_time":${OPENAI_DAY},"end_time":${OPENAI_DAY + 86_400},"results":[
      {"object":"organization.usage.images.result","images":3,"num_model_requests":1,"size":"1024x1024","source":"image.generation","project_id":"proj_a","user_id":null,"api_key_id":"key_a","model":"gpt-image-2"}
    ]}],"has_more":false,"next_page":null}`,
  '/v1/organization/costs': `{"object":"page","data":[{"object":"bucket","start_time":${OPENAI_DAY},"end_time":${OPENAI_DAY + 86_400},"results":[
      {"object":"organization.costs.result","amount":{"value":0.00040000000000000002,"currency":"usd"},"line_item":"gpt-6-astra-2026-05-01, input_tokens","project_id":"proj_a","api_key_id":"key_a"},
      {"object":"organization.costs.result","amount":{"value":1e-2,"currency":"usd"},"line_item":"gpt-6-astra-2026-05-01, output_tokens","project_id":"proj_a","api_key_id":"key_a"},
      {"object":"organization.costs.result","amount":{"value":0.5,"currency":"usd"},"line_item":"web search tool calls","project_id":"proj_a","api_key_id":"key_a"}
    ]}],"has_more":false,"next_page":null}`,
};

export const ANTHROPIC: Recorded = {
  '/v1/organizations/usage_report/messages': `{"data":[{"starting_at":"2026-11-20T00:00:00Z","ending_at":"2026-11-21T00:00:00Z","results":[
      {"uncached_input_tokens":1500,"cache_creation":{"ephemeral_1h_input_tokens":1000,"ephemeral_5m_input_tokens":500},"cache_read_input_tokens":200,"output_tokens":500,"server_tool_use":{"web_search_requests":10},"api_key_id":"apikey_a","workspace_id":"wrkspc_a","model":"claude-sonnet-5-20260514","service_tier":"standard","context_window":"0-200k"}
    ]}],"has_more":false,"next_page":null}`,
  '/v1/organizations/cost_report': `{"data":[{"starting_at":"2026-11-20T00:00:00Z","ending_at":"2026-11-21T00:00:00Z","results":[
      {"currency":"USD","amount":"123.78912","workspace_id":"wrkspc_a","description":"Claude Sonnet 5 Usage - Input Tokens","cost_type":"tokens","context_window":"0-200k","model":"claude-sonnet-5-20260514","service_tier":"standard","token_type":"uncached_input_tokens"},
      {"currency":"USD","amount":"10","workspace_id":"wrkspc_a","description":"Web Search","cost_type":"web_search","context_window":null,"model":null,"service_tier":null,"token_type":null},
      {"currency":"USD","amount":"999","workspace_id":null,"description":"Claude Sonnet 5 Usage - Input Tokens","cost_type":"tokens","context_window":"0-200k","model":"claude-sonnet-5-20260514","service_tier":"standard","token_type":"uncached_input_tokens"}
    ]}],"has_more":false,"next_page":null}`,
};

export const OPENROUTER: Recorded = {
  '/api/v1/activity': `{"data":[{"date":"2026-11-20","model":"openai/gpt-4.1","model_permaslug":"openai/gpt-4.1-2025-04-14","endpoint_id":"550e8400-e29b-41d4-a716-446655440000","provider_name":"OpenAI","usage":0.015,"byok_usage_inference":0.012,"requests":5,"prompt_tokens":50,"completion_tokens":125,"reasoning_tokens":25}]}`,
};

export type ReportServer = {
  readonly url: string;
  /** The received requests, each as `PATH?QUERY` with its credential. */
  readonly seen: string[];
  readonly stop: () => Promise<void>;
};

/** Serves recorded reports on a free port. Answers other paths with 404. */
export function serveReports(recorded: Recorded): ReportServer {
  const seen: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) => {
      const { pathname, search, searchParams } = new URL(url);
      const credential = headers.get('authorization') ?? headers.get('x-api-key');
      seen.push(`${pathname}${decodeURIComponent(search)} ${credential}`);
      const body = recorded[pathname];
      if (body === undefined)
        return new Response(`{"error":"no report for ${credential}"}`, { status: 404 });
      if (typeof body === 'string') return new Response(body);
      return new Response(body[searchParams.has('page') ? 1 : 0]);
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, seen, stop: () => server.stop(true) };
}

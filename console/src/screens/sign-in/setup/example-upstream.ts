/** Configuration lines that add a hosted model. The configuration file explains each line. */
export const EXAMPLE_UPSTREAM = `upstreams:
  anthropic: { protocol: anthropic, make: anthropic, base_url: "https://api.anthropic.com", api_key: "\${ANTHROPIC_API_KEY}" }

models:
  my-opus:
    kind: chat
    name: My Opus
    maker: anthropic
    context_window: 1000000
    max_output: 128000
    input: [text, image, file]
    default_channel: direct
    channels:
      direct:
        price: { input: "6.00", output: "30.00", cache_read: "0.60", cache_write: "7.50" }
        cost: { input: "5.00", output: "25.00", cache_read: "0.50", cache_write: "6.25" }
        routes: [{ upstream: anthropic, model: claude-opus-4-8 }]
`;

"""Calls a model as Dify's plugin OpenAI-API-compatible does, with the settings of the guide.

The library `dify_plugin` sends the requests; the plugin itself adds a form and options to the
library's classes. Reads the settings from standard input as JSON: the kind of the model, its name and the
plugin's variables. Prints the model's answer as JSON.
"""

import json
import sys

from dify_plugin.entities.model import EmbeddingInputType, ModelFeature
from dify_plugin.entities.model.message import PromptMessageTool, UserPromptMessage
from dify_plugin.interfaces.model.openai_compatible.llm import OAICompatLargeLanguageModel
from dify_plugin.interfaces.model.openai_compatible.text_embedding import (
    OAICompatEmbeddingModel,
)



class WithoutVocabulary:
    """Replaces Dify's own count of tokens, which would download a file and is not billed anyway."""

    def _get_num_tokens_by_gpt2(self, text):
        return len(text) // 4


class Llm(WithoutVocabulary, OAICompatLargeLanguageModel):
    pass


class Embedding(WithoutVocabulary, OAICompatEmbeddingModel):
    pass


TOOL = PromptMessageTool(
    name="get_weather",
    description="The weather in a city",
    parameters={
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    },
)


def run_llm(name, variables):
    model = Llm([])
    model.validate_credentials(name, variables)
    schema = model.get_customizable_model_schema(name, variables)
    chunks = list(
        model._invoke(
            name,
            variables,
            [UserPromptMessage(content="What is the weather in Paris? Use the tool.")],
            # The plugin adds these options; the library itself does not.
            {"max_tokens": 200, "stream_options": {"include_usage": True}},
            tools=[TOOL],
            stream=True,
        )
    )
    calls = [call for chunk in chunks for call in chunk.delta.message.tool_calls]
    last = chunks[-1].delta
    return {
        "features": sorted(feature.value for feature in schema.features or []),
        "text": "".join(str(chunk.delta.message.content) for chunk in chunks),
        "calls": [call.function.name for call in calls],
        "tokens": last.usage.completion_tokens if last.usage else 0,
    }


def run_embedding(name, variables):
    model = Embedding([])
    model.validate_credentials(name, variables)
    result = model._invoke(name, variables, ["one", "two"], input_type=EmbeddingInputType.DOCUMENT)
    return {"embeddings": len(result.embeddings), "tokens": result.usage.tokens}


given = json.load(sys.stdin)
run = run_llm if given["kind"] == "llm" else run_embedding
json.dump(run(given["model"], given["variables"]), sys.stdout)

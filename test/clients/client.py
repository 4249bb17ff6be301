"""Asks questions with Python clients.

Each line of the standard input is a request of `test/support/clients/client-process.ts`, and each
line of the standard output its answer. Every answer and every event that the `openai` package
reads is also validated in strict mode against the package's models.
"""

import asyncio
import json
import sys

from agents import Agent, FunctionTool, ModelSettings, OpenAIResponsesModel, RunConfig, Runner
from agents.agent_output import AgentOutputSchemaBase
from openai import AsyncOpenAI, OpenAI
from openai.types.responses import Response, ResponseStreamEvent
from openai.types.shared import Reasoning
from pydantic import TypeAdapter

EVENTS = TypeAdapter(ResponseStreamEvent)


def says(name):
    return f"{name} says fine"


def body_of(target, question, samples):
    content = [{"type": "input_text", "text": question["prompt"]}]
    if question.get("image"):
        content.append({"type": "input_image", "image_url": samples["image"], "detail": "auto"})
    if question.get("file"):
        content.append(
            {"type": "input_file", "filename": "notes.pdf", "file_data": samples["file"]}
        )
    body = {
        "model": target["model"],
        "store": False,
        "input": [{"role": "user", "content": content}],
        "max_output_tokens": question.get("maxTokens") or samples["maxTokens"],
    }
    if question.get("thinking"):
        body["reasoning"] = {"effort": "high", "summary": "auto"}
    if question.get("tools"):
        body["tools"] = [{"type": "function", "strict": False, **each} for each in samples["tools"]]
    if question.get("schema"):
        schema = {"type": "json_schema", "name": "person", "strict": True}
        body["text"] = {"format": {**schema, "schema": samples["schema"]}}
    return body


def answer_of(output, status, reason, usage):
    """Returns the answer in the output items of a response, which are models of either package."""
    texts, thoughts, calls = [], [], []
    for item in output:
        if item.type == "message":
            texts += [part.text for part in item.content if part.type == "output_text"]
        elif item.type == "reasoning":
            thoughts += [part.text for part in item.summary]
        elif item.type == "function_call":
            calls.append([item.name, json.loads(item.arguments)])
    end = "calls" if calls else "stop"
    if status == "incomplete":
        end = "length" if reason == "max_output_tokens" else "other"
    elif status != "completed":
        end = "other"
    return {
        "text": "".join(texts),
        "thinking": "".join(thoughts),
        "calls": calls,
        "end": end,
        "inputTokens": usage.input_tokens,
        "outputTokens": usage.output_tokens,
    }


def response_answer(response):
    details = response.incomplete_details
    reason = details.reason if details else None
    return answer_of(response.output, response.status, reason, response.usage)


class OpenAIClient:
    """Calls the official library: without streaming, and through its stream helper."""

    def __init__(self, target):
        base_url = f"{target['url']}/v2"
        self.responses = OpenAI(base_url=base_url, api_key=target["key"], max_retries=0).responses

    def plain(self, target, question, samples):
        raw = self.responses.with_raw_response.create(**body_of(target, question, samples))
        Response.model_validate_json(raw.text, strict=True)
        return response_answer(raw.parse())

    def streamed(self, target, question, samples):
        body = body_of(target, question, samples)
        whole = self.stream(body)
        with self.responses.with_streaming_response.create(**body, stream=True) as raw:
            for line in raw.iter_lines():
                if line.startswith("data: ") and '"type":"keepalive"' not in line:
                    EVENTS.validate_json(line.removeprefix("data: "), strict=True)
        return response_answer(whole)

    def loop(self, target, question, samples):
        body = body_of(target, question, samples)
        first = self.stream(body)
        outputs = [
            {"type": "function_call_output", "call_id": item.call_id, "output": says(item.name)}
            for item in first.output
            if item.type == "function_call"
        ]
        said = [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in first.output]
        last = self.stream({**body, "input": body["input"] + said + outputs})
        return response_answer(last)

    def stream(self, body):
        """Returns the last response, even of a stream that `get_final_response` would refuse."""
        with self.responses.stream(**body) as events:
            for event in events:
                if event.type in ("response.completed", "response.incomplete"):
                    return event.response
        raise RuntimeError("the stream ended without a response")


class PersonSchema(AgentOutputSchemaBase):
    """Makes the schema of the samples an agent's output type."""

    def __init__(self, schema):
        self.schema = schema

    def is_plain_text(self):
        return False

    def name(self):
        return "person"

    def json_schema(self):
        return self.schema

    def is_strict_json_schema(self):
        return True

    def validate_json(self, json_str):
        return json.loads(json_str)


class AgentsClient:
    """Calls the OpenAI Agents SDK."""

    def __init__(self, target):
        self.url = f"{target['url']}/v2"
        self.key = target["key"]
        self.name = target["model"]

    def agent(self, client, question, samples, behavior):
        def tool_of(described):
            async def run(_context, _arguments):
                return says(described["name"])

            return FunctionTool(
                name=described["name"],
                description=described["description"],
                params_json_schema=described["parameters"],
                on_invoke_tool=run,
                strict_json_schema=False,
            )

        thinks = question.get("thinking")
        return Agent(
            name="Assistant",
            model=OpenAIResponsesModel(model=self.name, openai_client=client),
            model_settings=ModelSettings(
                store=False,
                max_tokens=question.get("maxTokens") or samples["maxTokens"],
                reasoning=Reasoning(effort="high", summary="auto") if thinks else None,
            ),
            tools=[tool_of(each) for each in samples["tools"]] if question.get("tools") else [],
            tool_use_behavior=behavior,
            output_type=PersonSchema(samples["schema"]) if question.get("schema") else None,
        )

    async def run(self, target, question, samples, is_stream, behavior="stop_on_first_tool"):
        messages = body_of(target, question, samples)["input"]
        config = RunConfig(tracing_disabled=True)
        async with AsyncOpenAI(base_url=self.url, api_key=self.key, max_retries=0) as client:
            agent = self.agent(client, question, samples, behavior)
            if not is_stream:
                return await Runner.run(agent, messages, run_config=config)
            result = Runner.run_streamed(agent, messages, run_config=config)
            async for _event in result.stream_events():
                pass
            return result

    def plain(self, target, question, samples):
        return self.answer(asyncio.run(self.run(target, question, samples, False)))

    def streamed(self, target, question, samples):
        return self.answer(asyncio.run(self.run(target, question, samples, True)))

    def loop(self, target, question, samples):
        result = asyncio.run(self.run(target, question, samples, True, "run_llm_again"))
        return {"text": str(result.final_output)}

    @staticmethod
    def answer(result):
        first = result.raw_responses[0]
        return answer_of(first.output, "completed", None, first.usage)


CLIENTS = {"Python openai": OpenAIClient, "Python openai-agents": AgentsClient}


def reply(request):
    target, question = request["target"], request["question"]
    try:
        client = CLIENTS[request["client"]](target)
        return {"answer": getattr(client, request["act"])(target, question, request["samples"])}
    except Exception as error:  # Any error of a library is reported in the answer.
        status = getattr(error, "status_code", None)
        return {"failure": {"status": status, "message": f"{type(error).__name__}: {error}"}}


for line in sys.stdin:
    print(json.dumps(reply(json.loads(line))), flush=True)

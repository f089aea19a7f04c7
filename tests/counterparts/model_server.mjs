// OpenAI's chat API over a GGUF model: whole replies, streams, JSON schemas as grammars; one request at a time.
// Usage: node model_server.mjs NODE_MODULES MODEL.gguf PORT. Prints `ready`, then a line of JSON for each reply.
import {createServer} from "node:http";
import {pathToFileURL} from "node:url";

const [modules, modelPath, port] = process.argv.slice(2);
const {getLlama, LlamaChatSession} = await import(pathToFileURL(`${modules}/node-llama-cpp/dist/index.js`));
const llama = await getLlama({gpu: false, build: "never", logLevel: "error", maxThreads: 1});
const model = await llama.loadModel({modelPath});
let turn = Promise.resolve();

async function said(body, signal, onTextChunk) {
    const schema = body.response_format?.json_schema?.schema;
    const grammar = schema && (await llama.createGrammarForJsonSchema(schema));
    const context = await model.createContext({contextSize: 8192});
    try {
        const session = new LlamaChatSession({contextSequence: context.getSequence()});
        const before = body.messages.slice(0, -1);
        session.setChatHistory(
            before.map(({role, content}) =>
                role === "assistant" ? {type: "model", response: [content]} : {type: role, text: content}
            )
        );
        const maxTokens = Math.min(body.max_tokens ?? body.max_completion_tokens ?? 256, 256);
        const temperature = body.temperature ?? 0;
        const options = {maxTokens, temperature, grammar, onTextChunk, signal, stopOnAbortSignal: true};
        return await session.prompt(body.messages.at(-1).content, options);
    } finally {
        await context.dispose();
    }
}

async function reply(body, response) {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const common = {id: "reply", created: 1, model: body.model};
    const event = (delta, finish_reason = null) => {
        const choices = [{index: 0, delta, finish_reason}];
        response.write(`data: ${JSON.stringify({...common, object: "chat.completion.chunk", choices})}\n\n`);
    };
    if (body.stream) response.writeHead(200, {"content-type": "text/event-stream"});
    const began = Date.now();
    const text = await said(body, gone.signal, body.stream ? (content) => event({content}) : undefined);
    const asked = body.messages.map(({content}) => content.length).reduce((sum, length) => sum + length, 0);
    const told = {stream: !!body.stream, schema: body.response_format?.json_schema?.name, asked, ms: Date.now() - began};
    console.log(JSON.stringify({...told, text}));
    if (body.stream) {
        event({}, "stop");
        response.end("data: [DONE]\n\n");
        return;
    }
    const choices = [{index: 0, message: {role: "assistant", content: text}, finish_reason: "stop"}];
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({...common, object: "chat.completion", choices}));
}

createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    turn = turn.then(() => reply(JSON.parse(Buffer.concat(pieces)), response)).catch((error) => {
        console.log(JSON.stringify({error: String(error)}));
        if (!response.headersSent) response.writeHead(500, {"content-type": "application/json"});
        response.end(JSON.stringify({error: {message: String(error)}}));
    });
}).listen(Number(port), "127.0.0.1", () => console.log("ready"));

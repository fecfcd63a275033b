import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.model.WebhookEvent;

/** Reads all kinds of webhooks with the classes of openapi-generator's default library for Java. */
public class OpenapiGenerator {
    public static void main(String[] args) throws Exception {
        // Its constructor prepares the readers of JSON.
        new ApiClient();
        List<String> kinds = new ArrayList<>();
        for (JsonElement payload : JsonParser.parseString(Files.readString(Path.of(args[3]))).getAsJsonArray()) {
            WebhookEvent event = WebhookEvent.fromJson(payload.toString());
            kinds.add(JsonParser.parseString(event.toJson()).getAsJsonObject().get("kind").getAsString());
        }
        System.out.println(new Gson().toJson(Map.of("kinds", kinds)));
    }
}

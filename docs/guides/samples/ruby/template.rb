require "json"
require "net/http"

def call(method, path, body = nil)
  uri = URI(ENV.fetch("POSTRIDER_URL") + path)
  request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
  request["Authorization"] = "Bearer #{ENV.fetch("POSTRIDER_API_KEY")}"
  request["Content-Type"] = "application/json"
  request.body = JSON.generate(body) if body
  response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }
  raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

  JSON.parse(response.body) if response.body
end

reply = call("POST", "/v1/send", {
  to: { email: ENV.fetch("TO"), name: "Ann" },
  template: "receipt",
  strictVariables: true,
  data: {
    order: { value: "1001", persistent: false },
    total: { value: "12.00 EUR", persistent: false }
  }
})
puts reply["data"]["emails"][0]["email"]
